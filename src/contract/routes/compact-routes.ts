import { createRoute, z } from '@hono/zod-openapi'
import {
  wireCompactionDetailSchema,
  wireCompactionSchema,
  wireCompactResultSchema,
  wireLossSchema,
  wirePreviewSchema,
} from '../shapes/compaction-shapes.ts'
import { wireChangeSchema, wirePolicySchema } from '../shapes/shapes.ts'
import {
  entryParams,
  idempotencyHeader,
  json,
  jsonBody,
  optionalBody,
  refusals,
  sessionParams,
  whole,
} from './route-parts.ts'

const tags = ['compaction']

export type WireCompactBody = z.infer<typeof wireCompactBodySchema>
export const wireCompactBodySchema = z
  .strictObject({
    policy: wirePolicySchema.optional(),
    focus: z.string().max(10_000).optional(),
    model: z.string().min(1).max(200).optional().describe('The model that writes the summary of this compaction'),
    preserve_count: z.number().int().nonnegative().optional().describe('How many of the last messages stay unchanged'),
    dry_run: z.boolean().optional().describe('Only preview what the compaction would do and cost'),
    when: z.enum(['now', 'due']).optional().describe('`due`: compact only if an automatic compaction would run now'),
  })
  .openapi('Compact')

export const compactSessionRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/compact',
  tags,
  summary: 'Compact a session',
  description:
    'With `Accept: text/event-stream` the progress comes as server-sent events (`compaction.started`, `compaction.progress`, `compaction.ended` last, whose data is a CompactResult), otherwise one answer when it has ended. It continues if the client disconnects: DELETE cancels it.',
  request: { params: sessionParams, headers: idempotencyHeader, body: optionalBody(wireCompactBodySchema) },
  responses: {
    200: {
      description: 'The result; `compacted: false` with a reason when there was nothing to do or it was cancelled',
      content: {
        'application/json': { schema: z.union([wireCompactResultSchema, wirePreviewSchema]) },
        'text/event-stream': { schema: z.string() },
      },
    },
    ...refusals(404, 409, 413, 415, 502, 422),
  },
})

export const cancelCompactionRoute = createRoute({
  method: 'delete',
  path: '/v1/sessions/{id}/compact',
  tags,
  summary: 'Cancel the running compaction, whichever process runs it',
  request: { params: sessionParams },
  responses: {
    200: json(z.object({ cancelled: z.boolean(), id: z.string().optional() }), 'Whether something was running'),
    ...refusals(404),
  },
})

export const listCompactionsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/compactions',
  tags,
  summary: 'Every compaction of the session, undone ones too',
  request: { params: sessionParams },
  responses: { 200: json(z.object({ compactions: z.array(wireCompactionSchema) }), 'In order'), ...refusals(404) },
})

export const getCompactionRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/compactions/{seq}',
  tags,
  summary: 'One compaction: the messages before and after it, its facts and flagged names',
  request: {
    params: entryParams,
    query: z
      .object({ after: whole().default(0), limit: whole(500).min(1).default(100) })
      .describe('The page of `before`'),
  },
  responses: { 200: json(wireCompactionDetailSchema, 'The compaction'), ...refusals(404) },
})

export const getLossRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/compactions/{seq}/lost',
  tags,
  summary: 'The messages that are neither in the record nor in the tail; those that are likely to matter come first',
  description:
    'Messages of the user that the record does not quote, results that the agent had to read again or used later, failures that nothing has fixed, changes that are not in a commit, and names that are nowhere else now. `PUT …/pins/{seq}?back=true` puts a message back.',
  request: { params: entryParams, query: z.object({ limit: whole(1_000).min(1).default(50) }) },
  responses: { 200: json(wireLossSchema, 'Nothing for a compaction that is undone'), ...refusals(404) },
})

export const editSummaryRoute = createRoute({
  method: 'put',
  path: '/v1/sessions/{id}/compactions/{seq}/summary',
  tags,
  summary: 'Replace the text of a summary; this can be undone',
  request: { params: entryParams, body: jsonBody(z.strictObject({ summary: z.string().min(1).max(1_000_000) })) },
  responses: { 200: json(wireChangeSchema, 'The edit of the summary'), ...refusals(404, 413, 415) },
})
