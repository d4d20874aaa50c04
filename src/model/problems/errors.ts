/** The errors that a user, a file or a caller can cause. */
export type ErrorCode =
  | 'bad-message'
  | 'bad-entry'
  | 'bad-policy'
  | 'bad-config'
  | 'config-unwritable'
  | 'bad-registry'
  | 'unknown-model'
  | 'bad-argument'
  | 'no-model'
  | 'bad-undo'
  | 'other-body'
  | 'unknown-session'
  | 'unknown-entry'
  | 'store-newer'
  | 'store-damaged'
  | 'store-unwritable'
  | 'store-full'
  | 'store-unanswered'
  | 'not-allowed'
  | 'bad-rules'
  | 'context-limit'
  | 'bad-session'
  | 'bad-state'
  | 'file-exists'
  | 'file-unwritable'

/** An error whose message is one line for the user: what is wrong, where, and what to do. */
export class PithError extends Error {
  override readonly name = 'PithError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The message of an error. Anything can be thrown, also a text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Ends a switch over a union: it does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
