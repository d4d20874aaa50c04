import { createRoute, z } from '@hono/zod-openapi'
import { wireErrorSchema, wireTokenSchema } from '../shapes/shapes.ts'
import { json, jsonBody, refusals } from './route-parts.ts'

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
  responses: { 200: json(wireTokenSchema, 'The token'), ...refusals() },
})

export const signInRoute = createRoute({
  method: 'post',
  path: '/v1/sign-in',
  tags,
  security: open,
  summary: 'Exchange a token, or a link that works once, for the session cookie of a browser',
  request: {
    body: jsonBody(
      z.strictObject({
        token: z.string().min(1).optional().describe('A token'),
        link: z.string().min(1).optional().describe('The text after `#link=`, instead of a token'),
      }),
    ),
  },
  responses: { 200: json(wireTokenSchema, 'The token; the cookie is in Set-Cookie'), ...refusals(413, 415) },
})

export const signOutRoute = createRoute({
  method: 'delete',
  path: '/v1/sign-in',
  tags,
  security: open,
  summary: 'Sign the browser out: its session cookie ends',
  responses: { 200: json(z.object({ signed_out: z.boolean() }), 'The cookie is no longer known'), ...refusals() },
})
