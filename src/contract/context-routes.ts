import { createRoute, z } from '@hono/zod-openapi'
import { entryParams, idempotencyHeader, sessionParams, whole } from './parameters.ts'
import { json, refusals } from './route-answers.ts'
import {
  wireChangeSchema,
  wireContextHistorySchema,
  wireContextSchema,
  wireEntrySchema,
  wireHitSchema,
  wireSpentSchema,
  wireStatusSchema,
} from './shapes.ts'

const tags = ['context']

export const getContextRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/context',
  tags,
  summary: 'How full the context is, with what, and when the next compaction comes',
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
  summary: 'What the calls of the session have used and cost',
  request: { params: sessionParams },
  responses: { 200: json(wireSpentSchema, 'In tokens and US dollars'), ...refusals(404) },
})

export const findFilesRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/files',
  tags,
  summary: 'Files of the session’s workspace, for completing what a user types',
  request: {
    params: sessionParams,
    query: z.object({ q: z.string().max(1_000).default('').openapi({ description: 'Letters of the path' }) }),
  },
  responses: {
    200: json(
      z.object({ paths: z.array(z.string()) }),
      'The twenty that fit best; none in a session outside of every workspace',
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
        system: z.array(z.string()).openapi({ description: 'Blocks to put behind your own system prompt' }),
        messages: z.array(z.unknown()).openapi({ description: 'In the shape that was asked for' }),
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
  summary: 'Search all that was ever said, or get entries back by their handles',
  request: {
    params: sessionParams,
    query: z.object({
      q: z.string().min(1).max(1_000).optional().openapi({ description: 'Any text' }),
      handles: z.string().min(1).max(1_000).optional().openapi({ description: '`#12`, `12,15` or `12-20`' }),
      limit: whole(200).min(1).default(20),
    }),
  },
  responses: {
    200: json(z.object({ hits: z.array(wireHitSchema), entries: z.array(wireEntrySchema) }), 'Where it was said'),
    ...refusals(404),
  },
})

export const undoRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/undo',
  tags,
  summary: 'Take back the newest change of the view',
  request: { params: sessionParams, headers: idempotencyHeader },
  responses: { 200: json(wireChangeSchema, 'It is taken back'), ...refusals(404, 409) },
})

export const redoRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/redo',
  tags,
  summary: 'Take back the newest undo',
  request: { params: sessionParams, headers: idempotencyHeader },
  responses: { 200: json(wireChangeSchema, 'It is back'), ...refusals(404, 409) },
})

export const pinEntryRoute = createRoute({
  method: 'put',
  path: '/v1/sessions/{id}/pins/{seq}',
  tags,
  summary: 'Keep a message through every later compaction',
  request: { params: entryParams },
  responses: { 200: json(wireChangeSchema, 'It is pinned'), ...refusals(404) },
})

export const unpinEntryRoute = createRoute({
  method: 'delete',
  path: '/v1/sessions/{id}/pins/{seq}',
  tags,
  summary: 'Let a pinned message go again',
  request: { params: entryParams },
  responses: { 200: json(wireChangeSchema, 'It is not pinned any more'), ...refusals(404) },
})

export const listModelsRoute = createRoute({
  method: 'get',
  path: '/v1/models',
  tags: ['models'],
  summary: 'The models that the server knows and whether they can be used',
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
