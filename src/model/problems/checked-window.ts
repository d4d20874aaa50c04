import { PithError } from './errors.ts'

/** A context window in tokens, as a caller gave it. `why` is the reason to show if none was given. */
export function checkedWindow(window: unknown, why = `it is ${window}`): number {
  if (typeof window === 'number' && window > 0) return window
  throw new PithError('bad-argument', `window: the context window of the model in tokens is needed, and ${why}`)
}
