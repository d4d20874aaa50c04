import { createRoute, z } from '@hono/zod-openapi'
import { sessionParams, whole } from './parameters.ts'
import { refusals } from './route-answers.ts'
import { ALL_EVENTS, SESSION_EVENTS } from './wire-events.ts'

const tags = ['events']

const stream = (description: string) => ({ description, content: { 'text/event-stream': { schema: z.string() } } })

export const sessionEventsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/events',
  tags,
  summary: 'What happens in a session, from any seq on',
  description: `Events: ${Object.keys(SESSION_EVENTS).join(', ')}. \`Last-Event-ID\` (or \`after\`) names the seq to go on behind; without it from the beginning, with \`after=now\` from now on.`,
  request: {
    params: sessionParams,
    headers: z.object({
      'last-event-id': z
        .string()
        .regex(/^\d{0,15}$/)
        .optional(),
    }),
    query: z.object({ after: z.union([z.literal('now'), whole()]).optional() }),
  },
  responses: { 200: stream('The events'), ...refusals(404, 409) },
})

export const allEventsRoute = createRoute({
  method: 'get',
  path: '/v1/events',
  tags,
  summary: 'What happens in all sessions of this token, from now on',
  description: `Events: ${Object.keys(ALL_EVENTS).join(', ')}.`,
  responses: { 200: stream('The events'), ...refusals(409) },
})
