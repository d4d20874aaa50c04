import { whenReaderIsGone } from './broken-pipe.ts'

/** Aborts the work on Ctrl+C, on SIGTERM, when the terminal is closed (SIGHUP) and when nobody reads the output any more. A second signal ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of SIGNALS) process.once(signal, interrupt)
  const readAgain = whenReaderIsGone(interrupt)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt)
    readAgain()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
