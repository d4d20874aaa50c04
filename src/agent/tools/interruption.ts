/** Why a command or a search was ended early. */
export type Interruption = 'timed-out' | 'aborted'

/** A promise for the timeout or the abort signal, whichever comes first. Call `forget` when it is no longer needed. */
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
