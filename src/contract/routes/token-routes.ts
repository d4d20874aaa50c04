import { createRoute, z } from '@hono/zod-openapi'
import { json, jsonBody, refusals } from './route-parts.ts'

const tags = ['system']

const budget = z
  .strictObject({
    usd_per_day: z.number().positive().optional(),
    tokens_per_day: z.number().int().positive().optional(),
  })
  .describe('The most that it may spend of the server’s own model keys on a day (UTC); without it there is no limit')
  .openapi('TokenBudget')

/** A token, without its secret. */
export type WireTokenInfo = z.infer<typeof wireTokenInfoSchema>
const wireTokenInfoSchema = z
  .object({
    name: z.string(),
    owner: z.string().describe('Whose sessions it sees'),
    access: z.enum(['read', 'write']),
    admin: z.boolean().describe('It may make, change and remove tokens'),
    expires: z.iso.datetime().optional().describe('It is refused from this time on'),
    budget: budget.optional(),
    spent: z
      .object({ usd: z.number(), tokens: z.number().int() })
      .describe(
        'Its use of the server’s own model keys today (UTC). The cost of models without a known price is missing',
      ),
    is_own: z.boolean().describe('The token of this request'),
  })
  .openapi('TokenInfo')

export type WireNewToken = z.infer<typeof wireNewTokenSchema>
const wireNewTokenSchema = wireTokenInfoSchema
  .extend({ secret: z.string().describe('It is shown only this once') })
  .openapi('NewToken')

const rights = {
  access: z.enum(['read', 'write']),
  admin: z.boolean(),
  expires: z.iso.datetime(),
  budget,
}

const tokenParams = z.object({
  name: z
    .string()
    .min(1)
    .max(100)
    .openapi({ param: { name: 'name', in: 'path' } }),
})

export const listTokensRoute = createRoute({
  method: 'get',
  path: '/v1/tokens',
  tags,
  summary: 'All tokens, for an administrator',
  responses: { 200: json(z.object({ tokens: z.array(wireTokenInfoSchema) }), 'The oldest first'), ...refusals() },
})

export const makeTokenRoute = createRoute({
  method: 'post',
  path: '/v1/tokens',
  tags,
  summary: 'Make a token, as an administrator',
  request: {
    body: jsonBody(
      z.strictObject({
        name: z.string().min(1).describe('Letters, digits, . - _; its sessions belong to this name'),
        owner: z.string().min(1).max(200).optional().describe('Whose sessions it sees, if not its own'),
        access: rights.access.optional().describe('`write` when absent'),
        admin: rights.admin.optional(),
        expires: rights.expires.optional(),
        budget: rights.budget.optional(),
      }),
    ),
  },
  responses: { 201: json(wireNewTokenSchema, 'The token with its secret'), ...refusals(413, 415) },
})

export const changeTokenRoute = createRoute({
  method: 'patch',
  path: '/v1/tokens/{name}',
  tags,
  summary: 'Change the rights of a token, as an administrator; null takes a limit away',
  request: {
    params: tokenParams,
    body: jsonBody(
      z.strictObject({
        access: rights.access.optional(),
        admin: rights.admin.optional(),
        expires: rights.expires.nullable().optional(),
        budget: rights.budget.nullable().optional(),
      }),
    ),
  },
  responses: { 200: json(wireTokenInfoSchema, 'The token'), ...refusals(404, 409, 413, 415) },
})

export const removeTokenRoute = createRoute({
  method: 'delete',
  path: '/v1/tokens/{name}',
  tags,
  summary: 'Remove a token with its logins and links, as an administrator; every process refuses it within two seconds',
  request: { params: tokenParams },
  responses: { 200: json(z.object({ removed: z.literal(true) }), 'It is refused from now on'), ...refusals(404, 409) },
})
