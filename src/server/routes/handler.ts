import type { RouteConfig, z } from '@hono/zod-openapi'
import type { Context, Hono } from 'hono'
import type { AnswerSchema, BodySchema, RequestSchema, Route } from '../../contract/routes/route.ts'
import { sessionParams } from '../../contract/routes/route-parts.ts'
import { issueText, keysIn, problemOf } from '../../model/problems/parse.ts'
import { type Caller, HttpError, type RequestEnv } from '../http/http-error.ts'
import { bodyText, requestProblem } from '../http/request-body.ts'
import type { ServedSession } from '../sessions/live-sessions.ts'
import type { Services } from '../sessions/services.ts'

type Part<R extends Route, K extends string> = [RequestSchema<R, K>] extends [never]
  ? Record<string, never>
  : z.output<RequestSchema<R, K>>

/** The body of a route: JSON by its schema, other types as text, undefined if a route takes none. */
type Body<R extends Route> = R['request'] extends { body: { required: infer Required } }
  ? ([BodySchema<R>] extends [never] ? string : z.output<BodySchema<R>>) | (Required extends false ? undefined : never)
  : undefined

/** A request, checked against the contract. */
export type Call<R extends Route> = {
  readonly params: Part<R, 'params'>
  readonly query: Part<R, 'query'>
  readonly headers: Part<R, 'headers'>
  readonly body: Body<R>
  readonly caller: Caller
  /** The request itself, for its headers. */
  readonly request: Request
  /** True when the caller wants events instead of one answer. */
  readonly wantsEvents: boolean
  /** Aborts when the caller disconnects before the answer has ended. */
  readonly gone: AbortSignal
  /** Closes the connection at once, even if the caller reads nothing. Without a connection it does nothing. */
  readonly hangUp: () => void
}

/** Adds a route of the contract and its answer to an app. */
export type Handler = (app: Hono<RequestEnv>, services: Services) => void

type Answer<R extends Route> = Promise<z.input<AnswerSchema<R>> | Response>

/** A handler of a route: it gets a checked request, and its answer goes out as JSON. */
export function handler<R extends Route>(route: R, answer: (call: Call<R>, services: Services) => Answer<R>): Handler {
  return (app, services) => {
    app.on(route.method.toUpperCase(), route.getRoutingPath(), async (context) => {
      context.set('route', route.path)
      const value = await answer(await callOf(context, route), services)
      if (value instanceof Response) return value
      return context.json(value as object, '201' in route.responses ? 201 : 200)
    })
  }
}

/** A handler of a route of one session: it gets the session, opened for the caller. */
export function sessionHandler<R extends Route>(
  route: R,
  answer: (call: Call<R>, served: ServedSession, services: Services) => Answer<R>,
): Handler {
  return handler(route, async (call, services) => {
    const { id } = sessionParams.parse(call.params)
    return answer(call, await services.sessions.open(id, call.caller.owner), services)
  })
}

async function callOf<R extends Route>(context: Context<RequestEnv>, route: R): Promise<Call<R>> {
  const { params, query, headers, body } = route.request ?? {}
  const { req } = context
  const call = {
    params: checked(params, req.param(), 'path'),
    query: checked(query, req.query(), 'query'),
    headers: checked(headers, req.header(), 'header'),
    body: await bodyOf(context, body),
    caller: context.get('caller'),
    request: req.raw,
    wantsEvents: (req.header('accept') ?? '').includes('text/event-stream'),
    get gone() {
      return req.raw.signal
    },
    hangUp: () => context.env?.outgoing?.destroy(),
  }
  // The route's own schemas have parsed every part.
  return call as Call<R>
}

function checked(schema: unknown, value: unknown, part: Parameters<typeof requestProblem>[1]): unknown {
  if (!isSchema(schema)) return {}
  const result = schema.safeParse(value, { error: issueText })
  if (result.success) return result.data
  const problem = problemOf(result.error, (at) => keysIn(schema, at))
  throw new HttpError(400, 'bad-request', requestProblem(problem, part))
}

type RouteBody = NonNullable<NonNullable<RouteConfig['request']>['body']>

async function bodyOf(context: Context<RequestEnv>, body: RouteBody | undefined): Promise<unknown> {
  const [[type, media] = []] = Object.entries(body?.content ?? {})
  if (body === undefined || type === undefined) return undefined
  const text = await bodyText(context)
  if (text === '' && body.required !== true) return undefined
  const given = (context.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (given !== type) throw new HttpError(415, 'bad-type', `the body must be ${type}, not ${given || 'without a type'}`)
  checkJson(text)
  if (type !== 'application/json') return text
  return checked(media !== undefined && 'schema' in media ? media.schema : undefined, jsonOf(text), 'body')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, 'bad-request', 'the body is not JSON')
  }
}

function isSchema(schema: unknown): schema is z.ZodType {
  return typeof schema === 'object' && schema !== null && 'safeParse' in schema
}

/** Deeper than any message of a person or a tool, but not so deep that recursive code runs out of stack. */
const MOST_DEPTH = 500
/** Each unknown key of a table is checked, which would take seconds for a body of nothing else. */
const MOST_KEYS = 10_000

/** Refuses JSON that is nested too deep, or has a table of too many keys, before it is parsed. */
function checkJson(text: string): void {
  const keys: number[] = []
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i + 1)
        break
      case OPEN_TABLE:
      case OPEN_LIST:
        keys.push(0)
        if (keys.length > MOST_DEPTH) throw refused(`is nested more than ${MOST_DEPTH} deep`)
        break
      case CLOSE_TABLE:
      case CLOSE_LIST:
        keys.pop()
        break
      case COLON: {
        const count = (keys.pop() ?? 0) + 1
        if (count > MOST_KEYS) throw refused(`has a table of more than ${MOST_KEYS} keys`)
        keys.push(count)
        break
      }
    }
  }
}

const [QUOTE, BACKSLASH, COLON, LINE_END] = [0x22, 0x5c, 0x3a, 0x0a]
const [OPEN_TABLE, CLOSE_TABLE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The end of a string. A JSON string never continues on the next line, so a broken line does not affect the lines after it. */
function endOfString(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === QUOTE || sign === LINE_END) return i
    if (sign === BACKSLASH) i++
  }
  return text.length
}

function refused(why: string): HttpError {
  return new HttpError(400, 'bad-request', `the body ${why}`)
}
