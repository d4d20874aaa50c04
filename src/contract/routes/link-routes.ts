import { createRoute, z } from '@hono/zod-openapi'
import { json, optionalBody, refusals, sessionParams } from './route-parts.ts'

const tags = ['sessions']

/** A link that shows one session and nothing else, without its secret. */
export type WireLink = z.infer<typeof wireLinkSchema>
const wireLinkSchema = z
  .object({
    id: z.string(),
    expires: z.iso.datetime(),
    by: z.string().describe('The token that made it: the link ends when this token does'),
  })
  .openapi('SessionLink')

export type WireNewLink = z.infer<typeof wireNewLinkSchema>
const wireNewLinkSchema = wireLinkSchema
  .extend({
    path: z.string().describe('Goes after the address of the server; it is shown only this once'),
  })
  .openapi('NewSessionLink')

export const listLinksRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/links',
  tags,
  summary: 'The read-only links to the session that have not ended',
  request: { params: sessionParams },
  responses: { 200: json(z.object({ links: z.array(wireLinkSchema) }), 'The next to end first'), ...refusals(404) },
})

const MOST_HOURS = 365 * 24

export const makeLinkRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/links',
  tags,
  summary: 'Make a link that shows this session, and nothing else, to everybody who has the link',
  request: {
    params: sessionParams,
    body: optionalBody(
      z.strictObject({
        hours: z
          .number()
          .positive()
          .max(MOST_HOURS)
          .optional()
          .describe('How long it is valid; 168 (a week) when absent'),
      }),
    ),
  },
  responses: { 200: json(wireNewLinkSchema, 'The link with its secret'), ...refusals(404, 413, 415) },
})

export const endLinkRoute = createRoute({
  method: 'delete',
  path: '/v1/sessions/{id}/links/{link}',
  tags,
  summary: 'End a link at once, for all who have it',
  request: {
    params: sessionParams.extend({
      link: z
        .string()
        .min(1)
        .max(100)
        .openapi({ param: { name: 'link', in: 'path' } }),
    }),
  },
  responses: {
    200: json(z.object({ ended: z.boolean() }), 'False if the link does not exist any more'),
    ...refusals(404),
  },
})
