import { whenReaderIsGone } from './broken-pipe.ts'

/** Aborts the work on Ctrl+C, on SIGTERM and when nobody reads the output any more. A second signal ends the process at once. */
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
