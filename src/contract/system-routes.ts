import { createRoute, z } from '@hono/zod-openapi'
import { json, refusals } from './route-answers.ts'
import { wireErrorSchema, wireTokenSchema } from './shapes.ts'

const tags = ['system']
const open: [] = []

export const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  tags,
  security: open,
  summary: 'The process is alive',
  responses: { 200: json(z.object({ status: z.literal('ok') }), 'The process is alive') },
})

export const readyRoute = createRoute({
  method: 'get',
  path: '/ready',
  tags,
  security: open,
  summary: 'The process takes work: its store answers and it is not stopping',
  responses: {
    200: json(z.object({ status: z.literal('ready') }), 'The server takes work'),
    503: json(wireErrorSchema, 'The server takes no work now'),
  },
})

export const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  tags,
  summary: 'Counters for Prometheus',
  responses: { 200: { description: 'Text', content: { 'text/plain': { schema: z.string() } } }, ...refusals() },
})

export const whoamiRoute = createRoute({
  method: 'get',
  path: '/v1/token',
  tags,
  summary: 'The name, owner and rights of this token',
  responses: {
    200: json(wireTokenSchema, 'The token'),
    ...refusals(),
  },
})
