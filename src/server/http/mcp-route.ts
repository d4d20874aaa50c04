import type { Caller } from './request-env.ts'

/**
 * Answers requests of the Model Context Protocol at `/mcp`. Whoever starts the server brings it: its SDK is no dependency of
 * the package.
 */
export type McpRoute = {
  readonly answer: (request: Request, caller: Caller) => Promise<Response>
  readonly close: () => Promise<void>
}
