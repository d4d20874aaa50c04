/** Why something is ended before its time. */
export type Interruption = 'timed-out' | 'aborted'

/** Tells when the time is over or the signal comes, whichever is first. `forget` when it is of no interest any more. */
export function interruptionOf({ timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal }): {
  readonly happened: Promise<Interruption>
  readonly forget: () => void
} {
  const { promise, resolve } = Promise.withResolvers<Interruption>()
  const abort = () => resolve('aborted')
  const timer = setTimeout(resolve, timeoutMs, 'timed-out')
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return {
    happened: promise,
    forget: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
