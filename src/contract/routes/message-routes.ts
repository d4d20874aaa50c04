import { createRoute, z } from '@hono/zod-openapi'
import {
  wireEntryPageSchema,
  wireMessageSchema,
  wireStatusSchema,
  wireTurnEndSchema,
  wireUsageSchema,
} from '../shapes/shapes.ts'
import { SHAPES } from './context-routes.ts'
import { idempotencyHeader, json, jsonBody, optionalBody, refusals, sessionParams, whole } from './route-parts.ts'

const tags = ['messages']
const seq = z.number().int()

export const listEntriesRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/messages',
  tags,
  summary: 'The log by page, each entry with its place in the view',
  request: {
    params: sessionParams,
    query: z.object({
      after: whole().optional().describe('Entries after this seq, the oldest first'),
      before: whole().optional().describe('Entries before this seq, the newest page'),
      limit: whole(500).min(1).default(100),
      only: z.enum(['messages', 'changes', 'all']).default('messages'),
    }),
  },
  responses: { 200: json(wireEntryPageSchema, 'A page'), ...refusals(404) },
})

const usage = wireUsageSchema.optional()
const model = z.string().max(200).optional()

export const appendBody = z
  .strictObject({
    messages: z
      .array(
        z.strictObject({
          message: wireMessageSchema,
          usage: usage.describe('The usage that the provider reported for this answer'),
          model,
        }),
      )
      .optional(),
    items: z
      .array(z.unknown())
      .optional()
      .describe('Instead of `messages`: messages of an SDK as they are, in the shape that `shape` names'),
    shape: z.enum(SHAPES).optional().describe('The shape of `items`; `ai-sdk` if it is not set'),
    usage: usage.describe('The usage that the provider reported for the last answer among `items`'),
    model: model.describe('The model that wrote the last answer among `items`'),
  })
  .openapi('AppendMessages')

export const appendMessagesRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/messages',
  tags,
  summary: 'Append messages of your own agent; no model is called',
  request: { params: sessionParams, headers: idempotencyHeader, body: jsonBody(appendBody) },
  responses: {
    201: json(
      z.object({
        seqs: z.array(seq),
        status: wireStatusSchema,
        compaction_due: z.boolean().describe('POST …/compact with `when: due` would compact now'),
      }),
      'The messages are stored',
    ),
    ...refusals(404, 413, 415, 422),
  },
})

const userMessage = {
  text: z.string().min(1).optional(),
  message: wireMessageSchema.optional().describe('A message of the user, instead of `text`'),
}

const turnBody = z
  .strictObject({
    ...userMessage,
    asks: z
      .boolean()
      .optional()
      .describe(
        'With events: the caller answers permission questions (`question`, then POST …/turn/answer). Otherwise every request for permission is denied',
      ),
  })
  .openapi('Say')

export const postTurnRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/turn',
  tags,
  summary: 'Send a message to the agent of the server; without a body the agent continues where the session stopped',
  description:
    'With `Accept: text/event-stream` the reply comes as server-sent events (`turn.stored` first, `turn.ended` last), otherwise as one answer. The turn continues if the client disconnects: DELETE interrupts it.',
  request: { params: sessionParams, headers: idempotencyHeader, body: optionalBody(turnBody) },
  responses: {
    200: {
      description: 'The end of the turn, or its events',
      content: {
        'application/json': { schema: z.object({ id: z.string(), seq: seq.optional(), end: wireTurnEndSchema }) },
        'text/event-stream': { schema: z.string() },
      },
    },
    ...refusals(404, 409, 413, 415, 422),
  },
})

export const answerTurnRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/turn/answer',
  tags,
  summary: 'Answer a permission question of the running turn, whichever process runs it',
  request: {
    params: sessionParams,
    body: jsonBody(
      z
        .strictObject({
          question: z.string().min(1).max(100),
          allow: z.boolean().describe('True allows the request once'),
          in_session: z
            .boolean()
            .optional()
            .describe(
              'With `allow: true`: all edits in the workspace, or exactly this request again, need no question while the session is open on the server',
            ),
          text: z.string().max(10_000).optional().describe('With `allow: false`: what the agent should do instead'),
        })
        .openapi('Answer'),
    ),
  },
  responses: {
    200: json(z.object({ answered: z.boolean() }), 'Whether a turn waited for this answer'),
    ...refusals(404, 413, 415),
  },
})

const steerBody = z
  .strictObject({
    ...userMessage,
    turn: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('The `id` of the turn that the message is for: another turn does not take it'),
  })
  .openapi('Steer')

export const steerTurnRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/turn/steer',
  tags,
  summary: 'Give the running turn a message, which the model gets after the tool that runs, whichever process runs it',
  description:
    'The turn stores the message before its next request to the model (event `entry`), and continues if it was about to end. A turn that ends before that does not store it: send it again. An answer with `queued` means that the message was sent to another process; only `entry` confirms that the turn has it.',
  request: { params: sessionParams, body: jsonBody(steerBody) },
  responses: {
    200: json(
      z.object({
        steered: z.boolean(),
        queued: z.literal(true).optional().describe('The turn runs in another process: it was sent there'),
      }),
      'Whether a turn runs that takes it',
    ),
    ...refusals(404, 413, 415, 422),
  },
})

export const cancelTurnRoute = createRoute({
  method: 'delete',
  path: '/v1/sessions/{id}/turn',
  tags,
  summary: 'Interrupt the running turn, whichever process runs it',
  request: { params: sessionParams },
  responses: {
    200: json(z.object({ cancelled: z.boolean(), id: z.string().optional() }), 'Whether something was running'),
    ...refusals(404),
  },
})
