/** With the exit code that an error has left, if there was one. */
const endNow = () => process.exit()
let onGone: () => void = endNow
let isGone = false

/** Ends without an error when the reader of our output stops reading (`pith | head`). */
export function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  // Each further line that is printed fails in the same way.
  if (isGone) return
  isGone = true
  onGone()
}

/** Runs work to its end, and calls `stop` once if the reader stops reading meanwhile. */
async function whileRead<T>(stop: () => void, work: () => Promise<T>): Promise<T> {
  const before = onGone
  onGone = stop
  try {
    return await work()
  } finally {
    onGone = before
  }
}

/** Runs work that changes something to its end, whether or not anybody reads what it prints (`pith setup pi --yes | head -1`). */
export function evenUnread<T>(work: () => Promise<T>): Promise<T> {
  return whileRead(() => {}, work)
}

/** Aborts the work on Ctrl+C, on SIGTERM, when the terminal is closed (SIGHUP) and when nobody reads the output any more. A second signal ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of SIGNALS) process.once(signal, interrupt)
  try {
    return await whileRead(interrupt, () => work(stop.signal))
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
