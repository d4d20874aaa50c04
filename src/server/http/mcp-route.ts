import type { Caller } from './request-env.ts'

/**
 * Answers requests of the Model Context Protocol at `/mcp`. The program that starts the server provides it, because its SDK is
 * not a dependency of the package.
 */
export type McpRoute = {
  readonly answer: (request: Request, caller: Caller) => Promise<Response>
  readonly close: () => Promise<void>
}
