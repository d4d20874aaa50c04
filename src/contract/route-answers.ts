import type { z } from '@hono/zod-openapi'
import { wireErrorSchema } from './shapes.ts'

/** One answer of a route in JSON. */
export function json<T extends z.ZodType>(schema: T, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

const REFUSALS = {
  400: 'The request is not right; the message says where',
  401: 'No token, or not a known one',
  403: 'The token may only read, or the Host or Origin is not allowed',
  404: 'There is no such session or entry, for this token',
  409: 'Something else is at work in the session, or there is nothing to take back',
  413: 'The body is too large',
  415: 'The body is not of the type that is documented',
  502: 'The model failed; the context is as it was',
  503: 'The server is stopping, or its store cannot be reached',
} as const

type Refusal = keyof typeof REFUSALS

/** The documented refusals of a route, all of one shape. */
export function refusals<S extends Refusal>(...statuses: readonly S[]) {
  const always = [400, 401, 403, 503] as const
  const pairs = [...new Set<Refusal>([...always, ...statuses])].map((status) => [
    status,
    json(wireErrorSchema, REFUSALS[status]),
  ])
  return Object.fromEntries(pairs) as Record<
    S | (typeof always)[number],
    ReturnType<typeof json<typeof wireErrorSchema>>
  >
}
