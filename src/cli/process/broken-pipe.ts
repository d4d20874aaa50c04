import { EXIT } from './exit-codes.ts'

const endNow = () => process.exit(EXIT.done)
let onGone: () => void = endNow
let isGone = false

/** Whoever reads us may stop (`pith | head`): that is no error. */
export function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  // What is printed until the end finds nobody either.
  if (isGone) return
  isGone = true
  onGone()
}

/** For work that has to be stopped in order when nobody reads it any more; gives how to take that back. */
export function whenReaderIsGone(stop: () => void): () => void {
  onGone = stop
  return () => {
    onGone = endNow
  }
}
