import { randomUUID } from 'node:crypto'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { openApiDocument, ROUTES } from '../contract/document.ts'
import { checkHost, checkOrigin, checkToken } from './access/access.ts'
import { securityHeaders } from './access/security-headers.ts'
import { limitBody } from './http/body-text.ts'
import type { Env } from './http/env.ts'
import { answerOf, HttpError } from './http/http-error.ts'
import { Metrics } from './observe/metrics.ts'
import { compactHandlers } from './routes/compact/compact-handlers.ts'
import { contextHandlers } from './routes/context/context-handlers.ts'
import { eventHandlers } from './routes/events/event-handlers.ts'
import { messageHandlers } from './routes/messages/message-handlers.ts'
import { sessionHandlers } from './routes/sessions/session-handlers.ts'
import { openHandlers, systemHandlers } from './routes/system/system-handlers.ts'
import { LiveSessions } from './sessions/live-sessions.ts'
import type { ServerDeps, Services } from './sessions/services.ts'
import { SessionModels } from './sessions/session-models.ts'
import { Statuses } from './sessions/statuses.ts'
import { Streams } from './stream/streams.ts'
import { webPage } from './web-page.ts'
import { hearAnswers } from './work/answer-signal.ts'
import { obeyCancels } from './work/cancel-signal.ts'
import { InFlight } from './work/in-flight.ts'
import { Leases } from './work/leases.ts'
import { Questions } from './work/permission-questions.ts'
import { TurnQueues } from './work/turn-queues.ts'
import { Works } from './work/works.ts'

/** A server without a port: what answers requests, and how it ends. */
export type ServerApp = {
  readonly app: Hono<Env>
  readonly services: Services
  /** Takes no new work, ends what runs, closes the streams. The store stays open: it is the caller's. */
  stop(graceMs?: number): Promise<void>
}

const HANDLERS = [
  ...sessionHandlers,
  ...messageHandlers,
  ...contextHandlers,
  ...compactHandlers,
  ...eventHandlers,
  ...systemHandlers,
]

/** Puts a server together. */
export function createApp(deps: ServerDeps): ServerApp {
  const { server } = deps
  const leases = new Leases(deps.store, server.lease_ms)
  const services: Services = {
    ...deps,
    models: new SessionModels(deps.models, deps.settings.model),
    leases,
    sessions: new LiveSessions(deps.store, server.cached_sessions),
    statuses: new Statuses(),
    works: new Works(),
    questions: new Questions(),
    turns: new TurnQueues(leases),
    streams: new Streams(server.most_streams),
    metrics: new Metrics(),
    inFlight: new InFlight(),
  }
  const listening = [obeyCancels(deps.store, services.works), hearAnswers(deps.store, services.questions)]
  const app = new Hono<Env>()
  app.onError(refused)
  app.use(watched(services, deps), securityHeaders, checkHost(server), checkOrigin(server))
  for (const add of openHandlers) add(app, services)
  let document: string | undefined
  app.get('/v1/openapi.json', (context) => {
    document ??= JSON.stringify(openApiDocument(deps.version))
    return context.body(document, 200, { 'content-type': 'application/json' })
  })
  webPage(app, deps.webFolder)
  app.use(checkToken(deps.tokens), refuseWhenStopping(services), noHead, limitBody(server.body_limit_bytes))
  for (const add of HANDLERS) add(app, services)
  app.all('*', ({ req }) => {
    throw notThere(req.method, req.path)
  })
  return {
    app,
    services,
    async stop(graceMs = server.grace_ms) {
      const drained = services.works.drain(graceMs)
      services.streams.closeAll()
      await drained
      await services.sessions.close()
      for (const end of listening) end()
    },
  }
}

/** Every error in the one shape. */
function refused(error: Error, context: Context<Env>): Response {
  const { status, code, message, running } = answerOf(error)
  const shown = { code, message, request_id: context.get('requestId'), running }
  return context.json({ error: shown }, status)
}

/** Gives every request an id, logs and counts it. */
function watched({ metrics }: Services, { log }: ServerDeps): MiddlewareHandler<Env> {
  return async (context, next) => {
    const started = performance.now()
    const id = randomUUID()
    context.set('requestId', id)
    context.header('x-request-id', id)
    await next()
    const { status } = context.res
    const route = context.get('route') ?? 'other'
    metrics.add('pith_requests_total', { method: context.req.method, route, status: String(status) })
    const ms = performance.now() - started
    metrics.time(route, ms / 1_000)
    log?.({
      at: new Date().toISOString(),
      id,
      method: context.req.method,
      path: context.req.path,
      status,
      ms: Math.round(ms * 10) / 10,
      token: context.get('caller')?.name,
      error: status >= 500 && context.error !== undefined ? String(context.error.stack ?? context.error) : undefined,
    })
  }
}

function refuseWhenStopping({ works }: Services): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (works.isStopping && context.req.method !== 'DELETE') {
      context.header('connection', 'close')
      context.header('retry-after', '1')
      throw new HttpError(503, 'stopping', 'the server is stopping: try again')
    }
    await next()
  }
}

const noHead: MiddlewareHandler<Env> = async ({ req }, next) => {
  if (req.raw.method === 'HEAD') throw new HttpError(405, 'bad-method', 'HEAD is not answered here: use GET')
  await next()
}

const PATHS = ROUTES.map(({ path, method }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

function notThere(method: string, path: string): HttpError {
  const methods = PATHS.filter(({ pattern }) => pattern.test(path)).map((route) => route.method)
  if (methods.length === 0) return new HttpError(404, 'unknown-path', 'there is nothing at this path')
  return new HttpError(405, 'bad-method', `${method} is not for this path: ${[...new Set(methods)].join(', ')}`)
}
