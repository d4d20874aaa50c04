import { z } from '@hono/zod-openapi'
import { sessionId, wireErrorSchema } from '../shapes/shapes.ts'

/** A JSON body that a request must have. */
export function jsonBody<T extends z.ZodType>(schema: T) {
  return { required: true as const, content: { 'application/json': { schema } } }
}

/** A JSON body that a request may leave out. */
export function optionalBody<T extends z.ZodType>(schema: T) {
  return { required: false as const, content: { 'application/json': { schema } } }
}

/** A JSON answer of a route. */
export function json<T extends z.ZodType>(schema: T, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

const REFUSALS = {
  400: 'The request is invalid; the message says where',
  401: 'The token is missing or unknown',
  403: 'The token is read-only or not an administrator’s, or the Host or Origin is not allowed',
  404: 'This token has no such session or entry, or there is no such token',
  409: 'A turn or a compaction is running in the session, there is nothing to undo or to leave out, the requested message does not fit, or a token would remove itself',
  410: 'The session of this Idempotency-Key was deleted',
  413: 'The body is too large',
  415: 'The body has another type than documented, or a Content-Encoding other than gzip',
  422: 'This Idempotency-Key was sent before with another body',
  429: 'Too many requests or event streams at once, or the token has used its budget of the day; Retry-After says when to try again',
  502: 'The model failed; the context is unchanged',
  503: 'The server is stopping, or its store cannot be reached',
} as const

type Refusal = keyof typeof REFUSALS

/** The documented refusals of a route, all of one shape. */
export function refusals<S extends Refusal>(...statuses: readonly S[]) {
  const always = [400, 401, 403, 429, 503] as const
  const pairs = [...new Set<Refusal>([...always, ...statuses])].map((status) => [
    status,
    json(wireErrorSchema, REFUSALS[status]),
  ])
  return Object.fromEntries(pairs) as Record<
    S | (typeof always)[number],
    ReturnType<typeof json<typeof wireErrorSchema>>
  >
}

/** A whole number in a query or a path. */
export function whole(most = Number.MAX_SAFE_INTEGER) {
  return z.coerce.number().int().min(0).max(most)
}

export const sessionParams = z.object({ id: sessionId.openapi({ param: { name: 'id', in: 'path' } }) })

export const entryParams = sessionParams.extend({
  seq: whole().openapi({ param: { name: 'seq', in: 'path', required: true }, type: 'integer' }),
})

/** A post with a key is done once, even if it is repeated on another process; one that failed may be repeated. */
export const idempotencyHeader = z.object({
  'idempotency-key': z.string().min(1).max(200).optional(),
})
