/** Who calls. The secret of the token stays with the check. */
export type Caller = {
  /** The name of the token. */
  readonly name: string
  /** Whose sessions the caller sees. */
  readonly owner: string
  readonly access: 'read' | 'write'
}

/** What the middleware knows of a request. */
export type RequestEnv = { Variables: { caller: Caller; requestId: string; route: string; bodyLimit: number } }
