/** The caller of a request. It does not contain the secret of the token. */
export type Caller = {
  /** The name of the token. */
  readonly name: string
  /** Whose sessions the caller sees. */
  readonly owner: string
  readonly access: 'read' | 'write'
}

/** The variables that the middleware sets on a request. */
export type RequestEnv = { Variables: { caller: Caller; requestId: string; route: string; bodyLimit: number } }
