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
  summary: 'The events of a session, from any seq on',
  description: `Events: ${Object.keys(SESSION_EVENTS).join(', ')}. \`Last-Event-ID\` (or \`after\`) is the seq after which the stream begins. Without it the stream begins with the log; with \`after=now\` it has only new events.`,
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
  summary: 'The new events of all sessions of this token',
  description: `Events: ${Object.keys(ALL_EVENTS).join(', ')}.`,
  responses: { 200: stream('The events'), ...refusals(409) },
})
