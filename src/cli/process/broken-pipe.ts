import { EXIT } from './exit-codes.ts'

const endNow = () => process.exit(EXIT.done)
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
  onGone = stop
  return () => {
    onGone = endNow
  }
}
