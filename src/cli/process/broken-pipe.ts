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

/** Calls `stop` instead when the reader stops. Returns a function that takes this back. */
export function whenReaderIsGone(stop: () => void): () => void {
  const before = onGone
  onGone = stop
  return () => {
    onGone = before
  }
}

/** Runs work that changes something to its end, whether or not anybody reads what it prints (`pith setup pi --yes | head -1`). */
export async function evenUnread<T>(work: () => Promise<T>): Promise<T> {
  const readAgain = whenReaderIsGone(() => {})
  try {
    return await work()
  } finally {
    readAgain()
  }
}
