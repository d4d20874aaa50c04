import { createRoute, z } from '@hono/zod-openapi'
import { ALL_EVENTS, SESSION_EVENTS } from '../shapes/wire-events.ts'
import { refusals, sessionParams, whole } from './route-parts.ts'

const tags = ['events']

const stream = (description: string) => ({ description, content: { 'text/event-stream': { schema: z.string() } } })

const lastEventHeader = z.object({
  'last-event-id': z
    .string()
    .regex(/^\d{0,15}$/)
    .optional(),
})

export const sessionEventsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/events',
  tags,
  summary: 'The events of a session, from any seq on',
  description: `Events: ${Object.keys(SESSION_EVENTS).join(', ')}. \`Last-Event-ID\` (or \`after\`) is the seq after which the stream begins. Without it, or with \`after=now\`, it has only new events; \`after=0\` begins with the log.`,
  request: {
    params: sessionParams,
    headers: lastEventHeader,
    query: z.object({ after: z.union([z.literal('now'), whole()]).optional() }),
  },
  responses: { 200: stream('The events'), ...refusals(404) },
})

export const allEventsRoute = createRoute({
  method: 'get',
  path: '/v1/events',
  tags,
  summary: 'The new events of all sessions of this token',
  description: `Events: ${Object.keys(ALL_EVENTS).join(', ')}. With \`Last-Event-ID\`, a time, the sessions that were changed since come first, at most 1,000 of them: the last entry of each, and its compactions since. A change may come twice. Imported entries keep their own times: if a session, or entries with earlier times, are imported while a reader is away, it gets no event for them. Read the list of sessions after a gap.`,
  request: { headers: lastEventHeader },
  responses: { 200: stream('The events'), ...refusals() },
})
