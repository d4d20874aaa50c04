import type { RouteConfig, z } from '@hono/zod-openapi'

/** A route of the contract, as `createRoute` makes it. */
export type Route = RouteConfig & { getRoutingPath(): string }

/** The schema of a part of a route's request (`params`, `query` or `headers`), or `never`. */
export type RequestSchema<R extends Route, Part extends string> = R['request'] extends infer Request
  ? Request extends Record<Part, infer S extends z.ZodType>
    ? S
    : never
  : never

/** The schema of a route's JSON body, or `never`. */
export type BodySchema<R extends Route> = R['request'] extends {
  body: { content: { 'application/json': { schema: infer S extends z.ZodType } } }
}
  ? S
  : never

/** The schema of a route's JSON answer, of its 200 or 201. */
export type AnswerSchema<R extends RouteConfig> = R['responses'] extends infer Answers
  ? JsonSchema<Answers extends { 200: infer A } ? A : never> | JsonSchema<Answers extends { 201: infer A } ? A : never>
  : never

type JsonSchema<A> = A extends { content: { 'application/json': { schema: infer S extends z.ZodType } } } ? S : never

/** The schema of a route's JSON answer, as a value. */
export function answerSchemaOf<R extends RouteConfig>(route: R): AnswerSchema<R> {
  const { content } = { content: {}, ...(route.responses[200] ?? route.responses[201]) }
  const json: { schema?: unknown } = Object.entries(content).find(([type]) => type === 'application/json')?.[1] ?? {}
  return json.schema as AnswerSchema<R>
}
