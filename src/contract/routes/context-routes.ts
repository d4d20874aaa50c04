import { createRoute, z } from '@hono/zod-openapi'
import {
  wireCount as count,
  QUERY_HELP,
  wireChangeSchema,
  wireContextHistorySchema,
  wireContextSchema,
  wireEntrySchema,
  wireFoundSchema,
  wireHitSchema,
  wirePromptSchema,
  wireRequestSchema,
  wireSpentSchema,
  wireStatusSchema,
  wireToolsSchema,
  wireUndoPreviewSchema,
} from '../shapes/shapes.ts'
import { entryParams, idempotencyHeader, json, refusals, sessionParams, whole } from './route-parts.ts'

const tags = ['context']

export const getContextRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/context',
  tags,
  summary: 'The size of the context, its parts, and when the next compaction comes',
  request: { params: sessionParams },
  responses: { 200: json(wireContextSchema, 'The context'), ...refusals(404) },
})

export const getContextHistoryRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/context/history',
  tags,
  summary: 'The context over the life of the session, for a chart',
  request: { params: sessionParams, query: z.object({ points: whole(2_000).min(2).default(400) }) },
  responses: { 200: json(wireContextHistorySchema, 'Points and marks, in the order of the log'), ...refusals(404) },
})

export const getSpentRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/spent',
  tags,
  summary: 'The tokens and the cost of all model calls of the session, and of its turns',
  request: {
    params: sessionParams,
    query: z.object({
      turns: whole(10_000).default(0).describe('How many of the last turns are listed'),
    }),
  },
  responses: { 200: json(wireSpentSchema, 'In tokens and US dollars'), ...refusals(404) },
})

const texts = z.object({
  texts: z.enum(['true', 'false']).default('false').describe('`true`: with the texts, if they are known'),
})

export const getPromptRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/prompt',
  tags,
  summary: 'The system prompt that is sent with each request, section by section: its size and its cost',
  request: { params: sessionParams, query: texts },
  responses: {
    200: json(wirePromptSchema, 'In the order of the request; no sections if it is not known'),
    ...refusals(404),
  },
})

export const getToolsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/tools',
  tags,
  summary:
    'The definitions of tools that are sent with each request: their size, their cost, and how often they were called',
  request: { params: sessionParams, query: texts },
  responses: {
    200: json(wireToolsSchema, 'By server, the largest first; none if they are not known'),
    ...refusals(404),
  },
})

export const listRequestsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/requests',
  tags,
  summary: 'The last requests of another agent that passed through a running gateway into this session',
  request: { params: sessionParams },
  responses: {
    200: json(z.object({ requests: z.array(wireRequestSchema) }), 'The oldest first; none without a gateway'),
    ...refusals(404),
  },
})

export const findFilesRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/files',
  tags,
  summary: 'Files of the session’s workspace, for the completion of a typed path',
  request: {
    params: sessionParams,
    query: z.object({ q: z.string().max(1_000).default('').describe('Letters of the path') }),
  },
  responses: {
    200: json(
      z.object({ paths: z.array(z.string()) }),
      'The twenty best matches; none if the session has no workspace',
    ),
    ...refusals(404),
  },
})

export const SHAPES = ['ai-sdk', 'openai', 'openai-responses', 'anthropic'] as const

export const getViewRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/view',
  tags,
  summary: 'The messages to send to a model now',
  request: { params: sessionParams, query: z.object({ shape: z.enum(SHAPES).default('ai-sdk') }) },
  responses: {
    200: json(
      z.object({
        shape: z.enum(SHAPES),
        revision: z.number().int(),
        system: z.array(z.string()).describe('Blocks to append to your own system prompt'),
        messages: z.array(z.unknown()).describe('In the requested shape'),
        status: wireStatusSchema,
      }),
      'The view, valid for a provider',
    ),
    ...refusals(404),
  },
})

export const recallRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/recall',
  tags,
  summary: 'Search the whole log, the best hits first, or get entries by their handles',
  request: {
    params: sessionParams,
    query: z.object({
      q: z.string().min(1).max(10_000).optional().describe(QUERY_HELP),
      handles: z.string().min(1).max(1_000).optional().describe('`#12`, or several and ranges: `#12, #15-#20, 31`'),
      limit: whole(200).min(1).default(20),
      offset: whole(10_000).default(0).describe('How many of the first hits or entries are left out'),
    }),
  },
  responses: {
    200: json(
      wireFoundSchema.extend({
        hits: z.array(wireHitSchema),
        entries: z.array(wireEntrySchema),
        entries_total: count.describe('How many entries the handles name, without `bad_rows`'),
        bad_rows: z
          .array(z.object({ seq: count, reason: z.string() }))
          .optional()
          .describe('Those that cannot be read, and why; absent if there are none'),
      }),
      'The hits of the search, and the entries of the handles',
    ),
    ...refusals(404),
  },
})

export const undoRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/undo',
  tags,
  summary: 'Undo the newest change of the view',
  request: { params: sessionParams, headers: idempotencyHeader },
  responses: { 200: json(wireChangeSchema, 'The undo'), ...refusals(404, 409) },
})

export const previewUndoRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/undo',
  tags,
  summary: 'The change that an undo would undo, and how full the context would be after it',
  request: { params: sessionParams },
  responses: { 200: json(wireUndoPreviewSchema, 'The change; none when there is nothing to undo'), ...refusals(404) },
})

export const redoRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/redo',
  tags,
  summary: 'Redo: undo the newest undo',
  request: { params: sessionParams, headers: idempotencyHeader },
  responses: { 200: json(wireChangeSchema, 'The redo'), ...refusals(404, 409) },
})

export const pinEntryRoute = createRoute({
  method: 'put',
  path: '/v1/sessions/{id}/pins/{seq}',
  tags,
  summary:
    'Keep a message through every later compaction; with `back`, put it back into the context if it is not there',
  request: {
    params: entryParams,
    query: z.object({
      back: z
        .enum(['true', 'false'])
        .default('false')
        .describe(
          '`true`: a message that was compacted, masked or shortened is in the context word for word again, with the call or the results that belong to it. This can be undone. 409 `does-not-fit` says why it does not fit',
        ),
    }),
  },
  responses: { 200: json(wireChangeSchema, 'The message is pinned'), ...refusals(404, 409) },
})

export const unpinEntryRoute = createRoute({
  method: 'delete',
  path: '/v1/sessions/{id}/pins/{seq}',
  tags,
  summary: 'Unpin a message',
  request: { params: entryParams },
  responses: { 200: json(wireChangeSchema, 'The message is unpinned'), ...refusals(404) },
})

export const listModelsRoute = createRoute({
  method: 'get',
  path: '/v1/models',
  tags: ['models'],
  summary: 'The models that the server knows, and whether each can be used',
  responses: {
    200: json(
      z.object({
        models: z.array(
          z.object({
            name: z.string(),
            context_window: z.number().int().optional(),
            usable: z.boolean(),
            why: z.string().optional(),
          }),
        ),
      }),
      'The models',
    ),
    ...refusals(),
  },
})
