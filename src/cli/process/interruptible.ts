import { whenReaderIsGone } from './broken-pipe.ts'

/** Ctrl+C, a signal to end, and a reader that is gone stop the work in order; a second one ends it at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const readAgain = whenReaderIsGone(interrupt)
  try {
    return await work(stop.signal)
  } finally {
    process.removeListener('SIGINT', interrupt)
    process.removeListener('SIGTERM', interrupt)
    readAgain()
  }
}
