import { createRoute, z } from '@hono/zod-openapi'
import {
  wireChangeSchema,
  wireLeaveOutChoiceSchema,
  wireLeaveOutPlanSchema,
  wireLeaveOutSchema,
} from '../shapes/shapes.ts'
import { json, jsonBody, refusals, sessionParams, whole } from './route-parts.ts'

const tags = ['context']

export const listLeaveOutChoicesRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/leave-out',
  tags,
  summary: 'The largest parts of the context that can be left out',
  request: { params: sessionParams, query: z.object({ limit: whole(200).min(1).default(40) }) },
  responses: {
    200: json(z.object({ choices: z.array(wireLeaveOutChoiceSchema) }), 'The largest first'),
    ...refusals(404),
  },
})

const leaveOutBody = z.object({
  what: z
    .string()
    .min(1)
    .max(10_000)
    .describe(
      '`#40`, `#40-#71`, `#3, #7-#9`, `turn:#40` (a user message and everything up to the next one), `tool:bash` (all results of a tool) or `file:src/a.ts` (the results about a file). Messages grow to whole steps: a call never loses its result',
    ),
  when: z
    .enum(['now', 'cold'])
    .default('now')
    .describe('`cold`: wait until the provider’s cache has expired or a compaction is due, so that no cache is lost'),
  dry_run: z.boolean().optional().describe('Change nothing: only say what it would free and cost now'),
})

export const leaveOutRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/leave-out',
  tags,
  summary: 'Leave a part of the context out: one line with a handle replaces it. This can be undone, or put back',
  request: { params: sessionParams, body: jsonBody(leaveOutBody) },
  responses: {
    200: json(
      z.union([wireLeaveOutSchema, wireLeaveOutPlanSchema.extend({ dry_run: z.literal(true) })]),
      'The leave-out, what it frees and costs, and what stays; with `dry_run` without the change',
    ),
    ...refusals(404, 409, 413, 415),
  },
})

export const putBackRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/put-back',
  tags,
  summary: 'Put a part that was left out back into the context, or take back the wish to leave it out',
  request: {
    params: sessionParams,
    body: jsonBody(z.object({ seq: whole().describe('The leave-out, or any message that it hides') })),
  },
  responses: { 200: json(wireChangeSchema, 'The part is in the context again'), ...refusals(404, 409, 413, 415) },
})
