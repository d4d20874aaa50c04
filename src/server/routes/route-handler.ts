import type { RouteConfig, z } from '@hono/zod-openapi'
import type { Context, Hono } from 'hono'
import type { AnswerSchema, BodySchema, RequestSchema, Route } from '../../contract/route.ts'
import { problemOf } from '../../model/parse.ts'
import { bodyText } from '../http/body-text.ts'
import type { Caller, Env } from '../http/env.ts'
import { HttpError } from '../http/http-error.ts'

type Part<R extends Route, K extends string> = [RequestSchema<R, K>] extends [never]
  ? Record<string, never>
  : z.output<RequestSchema<R, K>>

/** The body of a route: JSON by its schema, lines as text, nothing where a route takes none. */
type Body<R extends Route> = R['request'] extends { body: { required: infer Required } }
  ? ([BodySchema<R>] extends [never] ? string : z.output<BodySchema<R>>) | (Required extends false ? undefined : never)
  : undefined

/** A request whose every part was checked against the contract. */
export type Call<R extends Route> = {
  readonly params: Part<R, 'params'>
  readonly query: Part<R, 'query'>
  readonly headers: Part<R, 'headers'>
  readonly body: Body<R>
  readonly caller: Caller
  /** True when the caller wants events in place of one answer. */
  readonly wantsEvents: boolean
  /** Aborts when the caller goes away before the answer has ended. */
  readonly gone: AbortSignal
}

/** Binds a handler to a route of the contract: parse, act, answer in JSON. */
export function handle<R extends Route>(
  app: Hono<Env>,
  route: R,
  handler: (call: Call<R>) => Promise<z.input<AnswerSchema<R>> | Response>,
): void {
  app.on(route.method.toUpperCase(), route.getRoutingPath(), async (context) => {
    context.set('route', route.path)
    const { params, query, headers, body } = route.request ?? {}
    const call = {
      params: checked(params, context.req.param(), 'path'),
      query: checked(query, context.req.query(), 'query'),
      headers: checked(headers, context.req.header(), 'header'),
      body: await bodyOf(context, body),
      caller: context.get('caller'),
      wantsEvents: (context.req.header('accept') ?? '').includes('text/event-stream'),
      gone: context.req.raw.signal,
      // What was parsed by the route's own schemas has their types.
    } as Call<R>
    const answer = await handler(call)
    if (answer instanceof Response) return answer
    return context.json(answer as object, '201' in route.responses ? 201 : 200)
  })
}

function checked(schema: unknown, value: unknown, where: string): unknown {
  if (!isSchema(schema)) return {}
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { path, text } = problemOf(result.error)
  throw new HttpError(400, 'bad-request', `${[where, ...path.map(String)].join('.')}: ${text}`)
}

type RouteBody = NonNullable<NonNullable<RouteConfig['request']>['body']>

async function bodyOf(context: Context<Env>, body: RouteBody | undefined): Promise<unknown> {
  const [[type, media] = []] = Object.entries(body?.content ?? {})
  if (body === undefined || type === undefined) return undefined
  const text = await bodyText(context)
  if (text === '' && body.required !== true) return undefined
  const given = (context.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (given !== type) throw new HttpError(415, 'bad-type', `the body must be ${type}, not ${given || 'without a type'}`)
  if (type !== 'application/json') return text
  return checked(media !== undefined && 'schema' in media ? media.schema : undefined, jsonOf(text), 'body')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, 'bad-request', 'body: is not JSON')
  }
}

function isSchema(schema: unknown): schema is z.ZodType {
  return typeof schema === 'object' && schema !== null && 'safeParse' in schema
}
