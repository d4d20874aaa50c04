import { z } from '@hono/zod-openapi'
import { sessionId } from '../shapes/shapes.ts'

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
