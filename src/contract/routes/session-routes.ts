import { createRoute, z } from '@hono/zod-openapi'
import { WRITABLE_FORMATS } from '../../formats/formats.ts'
import { durationMs } from '../../model/values.ts'
import {
  wireAgentSessionSchema,
  wireEntrySchema,
  wireMessageSchema,
  wirePolicySchema,
  wireSessionDetailSchema,
  wireSessionPageSchema,
  wireSessionStatusSchema,
} from '../shapes/shapes.ts'
import { idempotencyHeader, json, jsonBody, optionalBody, refusals, sessionParams, whole } from './route-parts.ts'

const tags = ['sessions']
const text = z.string().max(1_000)

const createSessionBody = z
  .strictObject({
    title: text.optional(),
    workspace: text
      .optional()
      .describe('A workspace of the server; without one the agent has no tools for files and commands'),
    model: text.optional(),
    policy: wirePolicySchema.optional(),
    messages: z.array(wireMessageSchema).optional(),
  })
  .openapi('CreateSession')

export const createSessionRoute = createRoute({
  method: 'post',
  path: '/v1/sessions',
  tags,
  summary: 'Create a session',
  request: { headers: idempotencyHeader, body: optionalBody(createSessionBody) },
  responses: { 201: json(wireSessionDetailSchema, 'The session'), ...refusals(413, 415, 422, 410) },
})

export const listSessionsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions',
  tags,
  summary: 'The sessions of this token, the most recently changed first',
  request: {
    query: z.object({
      q: text.optional().describe('Text to find in title or workspace'),
      limit: whole(500).min(1).default(50),
      before: text.optional().describe('The `next` of the previous page'),
    }),
  },
  responses: { 200: json(wireSessionPageSchema, 'A page'), ...refusals() },
})

export const listAgentSessionsRoute = createRoute({
  method: 'get',
  path: '/v1/agent-sessions',
  tags,
  summary: 'The sessions of other agents on this machine, the most recently changed first; for its owner alone',
  request: { query: z.object({ limit: whole(200).min(1).default(50) }) },
  responses: { 200: json(z.object({ sessions: z.array(wireAgentSessionSchema) }), 'The sessions'), ...refusals() },
})

export const listStatusesRoute = createRoute({
  method: 'get',
  path: '/v1/statuses',
  tags,
  summary: 'How full the contexts of several sessions are',
  request: {
    query: z.object({
      sessions: z
        .string()
        .max(10_000)
        .transform((ids) => ids.split(',').filter((id) => id !== ''))
        .pipe(z.array(z.string()).min(1).max(100))
        .openapi({ type: 'string', description: 'The ids, at most 100, separated by commas' }),
    }),
  },
  responses: {
    200: json(
      z.object({ statuses: z.array(wireSessionStatusSchema) }),
      'The statuses of the sessions that this token has',
    ),
    ...refusals(),
  },
})

export const getSessionRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}',
  tags,
  summary: 'A session and its state: how full the context is, to-dos, files',
  request: { params: sessionParams },
  responses: { 200: json(wireSessionDetailSchema, 'The session'), ...refusals(404) },
})

const changeSessionBody = z
  .strictObject({ title: text.min(1).optional(), model: text.min(1).optional(), policy: wirePolicySchema.optional() })
  .openapi('ChangeSession')

export const changeSessionRoute = createRoute({
  method: 'patch',
  path: '/v1/sessions/{id}',
  tags,
  summary: 'Change the title, the model or the policy of a session',
  request: { params: sessionParams, body: jsonBody(changeSessionBody) },
  responses: { 200: json(wireSessionDetailSchema, 'The session'), ...refusals(404, 413, 415) },
})

export const deleteSessionRoute = createRoute({
  method: 'delete',
  path: '/v1/sessions/{id}',
  tags,
  summary: 'Delete a session; its forks keep the entries that they share',
  request: { params: sessionParams },
  responses: {
    200: json(
      z.object({ entries: z.number().int(), bytes: z.number().int(), kept_for_forks: z.number().int() }),
      'The number of deleted entries, the bytes of their texts, and how many stay because forks share them',
    ),
    ...refusals(404, 409),
  },
})

const deleteUnusedBody = z
  .strictObject({
    older_than: text
      .refine((time) => durationMs(time) !== undefined, 'must be a time such as 90d or 12h')
      .describe('How long nothing was appended to a session: `90d`, `12h`, `30m`'),
    project: text.min(1).optional().describe('Only sessions in this folder or below it, or in this workspace'),
    limit: z.number().int().min(1).max(1_000).default(500).describe('The most sessions that one request deletes'),
    dry_run: z.boolean().optional().describe('Delete nothing: only count'),
  })
  .openapi('DeleteUnused')

export const deleteUnusedSessionsRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/delete-unused',
  tags,
  summary: 'Delete the sessions of this token that were not used for some time; forks keep the entries that they share',
  description:
    'Sessions in which a process works now are left out. If the client disconnects, the work ends after the current session. A dry run counts all sessions, whatever the limit.',
  request: { body: jsonBody(deleteUnusedBody) },
  responses: {
    200: json(
      z.object({
        sessions: z.number().int(),
        entries: z.number().int(),
        bytes: z.number().int(),
        kept_for_forks: z.array(z.object({ session: z.string(), entries: z.number().int() })),
        left: z.number().int().describe('How many sessions are left: repeat the request to delete more'),
        dry_run: z.boolean(),
      }),
      'The number of deleted sessions and entries, the bytes of their texts, and the entries that stay because forks share them',
    ),
    ...refusals(413, 415),
  },
})

export const forkSessionRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/fork',
  tags,
  summary: 'Fork a session: the new one shares its entries up to a seq',
  request: {
    params: sessionParams,
    headers: idempotencyHeader,
    body: optionalBody(z.strictObject({ seq: whole().optional(), title: text.optional() })),
  },
  responses: { 201: json(wireSessionDetailSchema, 'The fork'), ...refusals(404, 413, 415, 422, 410) },
})

const redactBodySchema = z.strictObject({
  seq: z.number().int().min(1),
  also: z
    .array(z.number().int().min(1))
    .max(100_000)
    .optional()
    .describe('More entries to redact, such as those of `same_text`: one request is far quicker than many'),
  dry_run: z.boolean().optional().describe('Redact nothing: only return `same_text`'),
})

const sameText = z
  .array(z.number().int())
  .describe('Other messages that repeat its text, or a word of it that looks like a secret. They are not redacted')
const redactionSchema = z.object({ entry: wireEntrySchema, same_text: sameText })
const redactPreviewSchema = z.object({ dry_run: z.literal(true), same_text: sameText })

export const redactEntryRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/redact',
  tags,
  summary: 'Overwrite the content of an entry and everything that was made from it; this cannot be undone',
  request: { params: sessionParams, headers: idempotencyHeader, body: jsonBody(redactBodySchema) },
  responses: {
    200: json(
      z.union([redactionSchema, redactPreviewSchema]),
      'The redaction; with `dry_run` only the other messages with the text',
    ),
    ...refusals(404, 413, 415, 422, 410),
  },
})

export const exportSessionRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/export',
  tags,
  summary: 'Export the whole log in our own format, or the current view in the format of another agent',
  request: { params: sessionParams, query: z.object({ format: z.enum(WRITABLE_FORMATS).default('pith') }) },
  responses: {
    200: {
      description: 'JSON Lines of an agent, a list of messages, or Markdown',
      content: {
        'application/x-ndjson': { schema: z.string() },
        'application/json': {
          schema: z.union([z.array(z.unknown()), z.looseObject({})]).openapi({
            description: 'A list of messages, or a table that has one, as `anthropic` needs for the system prompt',
          }),
        },
        'text/markdown': { schema: z.string() },
      },
    },
    ...refusals(404),
  },
})

export const importSessionRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/import',
  tags,
  summary: 'Import an export of ours or a session file of any agent; the format is detected',
  description:
    'A call at the end of the session that has no result stays open, so that the client may append the result: until then the session is not compacted. If there will be no result, append one that says so.',
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/x-ndjson': { schema: z.string() } } },
  },
  responses: {
    201: json(
      z.object({
        session: wireSessionDetailSchema,
        entries: z.number().int(),
        issues: z.array(z.object({ line: z.number().int(), reason: z.string() })),
      }),
      'The session, and the lines that could not be read',
    ),
    ...refusals(413, 415, 422, 410),
  },
})
