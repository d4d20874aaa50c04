export type Refresher = {
  /** Asks for one more run, soon after the current one has ended. */
  readonly again: () => void
  /** Asks for a run at once. */
  readonly now: () => void
  readonly stop: () => void
}

/**
 * Runs `work` one at a time, once for a burst of calls. An older answer never comes after a newer one, and calls without
 * a pause do not delay it forever.
 */
export function refresher(work: () => Promise<unknown>, settleMs: number): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false
  let isStopped = false

  async function run(): Promise<void> {
    timer = undefined
    isRunning = true
    isWanted = false
    await work()
    isRunning = false
    if (isWanted) again()
  }

  function again(): void {
    isWanted = true
    if (!isStopped && !isRunning) timer ??= setTimeout(run, settleMs)
  }

  function now(): void {
    isWanted = true
    clearTimeout(timer)
    if (!isStopped && !isRunning) void run()
  }

  return {
    again,
    now,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
