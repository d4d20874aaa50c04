/** The caller of a request. It does not contain the secret of the token. */
export type Caller = {
  /** The name of the token. */
  readonly name: string
  /** The owner of the sessions that the caller sees. */
  readonly owner: string
  readonly access: 'read' | 'write'
  /** The only session that the caller sees: it came by a link to it. */
  readonly session?: string
  /** False once the token was removed or has expired, or the browser was signed out. */
  readonly isKnown: () => boolean
}

/** The variables that the middleware sets on a request. */
export type RequestEnv = { Variables: { caller: Caller; requestId: string; route: string; bodyLimit: number } }

/**
 * Answers requests of the Model Context Protocol at `/mcp`. The program that starts the server provides it, because its SDK is
 * not a dependency of the package.
 */
export type McpRoute = {
  readonly answer: (request: Request, caller: Caller) => Promise<Response>
  readonly close: () => Promise<void>
}
