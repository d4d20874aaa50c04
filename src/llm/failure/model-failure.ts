import type { OutputLimit } from './output-limit.ts'

/** Why a call came to nothing. A failure ends the stream as data, it is never thrown. */
export type ModelFailure = {
  readonly kind:
    | 'overflow'
    | 'rate-limit'
    | 'auth'
    | 'bad-request'
    | 'server'
    | 'network'
    | 'silence'
    | 'malformed'
    | 'aborted'
  /** One line for the user, without secrets. */
  readonly text: string
  /** The size of the request and the window, where the provider named them. */
  readonly tokens?: number
  readonly limit?: number
  /** The longest answer that the provider gives, where a longer one was asked for. */
  readonly outputLimit?: OutputLimit
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number
}

/** The failure of a call that its caller aborted. */
export const ABORTED: ModelFailure = { kind: 'aborted', text: 'aborted' }

/** Thrown inside a call that its caller aborted. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError'
}

/** Thrown inside a call that is answered with a page for people. */
export class PageError extends Error {
  override readonly name = 'PageError'

  constructor() {
    super('it answered with a web page and not as a model does: check the address of the provider (base_url)')
  }
}

/** Thrown inside a call whose provider sends nothing for too long. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError'

  constructor(afterMs: number) {
    super(`no answer for ${Math.round(afterMs / 1000)} seconds`)
  }
}
