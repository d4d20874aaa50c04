export type Refresher = {
  /** Asks for one more run: soon, and not before the one that runs now has ended. */
  readonly again: () => void
  /** The same without waiting for more calls. */
  readonly now: () => void
  readonly stop: () => void
}

/**
 * Runs `work` one at a time, once for a burst of calls: an older answer never comes after a newer one, and calls that
 * never pause do not put it off for ever.
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
