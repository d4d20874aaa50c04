import { randomUUID } from 'node:crypto'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { checkHost, checkOrigin, checkToken } from './access.ts'
import { hearAnswers } from './answer-signal.ts'
import { withAppendKeys } from './append-keys.ts'
import { limitBody } from './body-text.ts'
import { obeyCancels } from './cancel-signal.ts'
import { openApiDocument, ROUTES } from './contract/document.ts'
import { answerOf, HttpError } from './http-error.ts'
import { InFlight } from './in-flight.ts'
import { Leases } from './leases.ts'
import { LiveSessions } from './live-sessions.ts'
import { Metrics } from './metrics.ts'
import { Questions } from './questions.ts'
import type { Env } from './route-handler.ts'
import { compactRoutes } from './routes/compact.ts'
import { contextRoutes } from './routes/context.ts'
import { eventRoutes } from './routes/events.ts'
import { messageRoutes } from './routes/messages.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { openRoutes, systemRoutes } from './routes/system.ts'
import { securityHeaders } from './security-headers.ts'
import type { ServerDeps, Services } from './services.ts'
import { SessionModels } from './session-models.ts'
import { Statuses } from './statuses.ts'
import { Streams } from './streams.ts'
import { TurnQueues } from './turn-queues.ts'
import { webPage } from './web-page.ts'
import { Works } from './works.ts'

/** A server without a port: what answers requests, and how it ends. */
export type ServerApp = {
  readonly app: Hono<Env>
  readonly services: Services
  /** Takes no new work, ends what runs, closes the streams. The store stays open: it is the caller's. */
  stop(graceMs?: number): Promise<void>
}

/** Puts a server together. */
export function createApp(deps: ServerDeps): ServerApp {
  const { server } = deps
  const leases = new Leases(withAppendKeys(deps.store), server.lease_ms)
  const services: Services = {
    ...deps,
    store: leases.store,
    models: new SessionModels(deps.models, deps.settings.model),
    leases,
    sessions: new LiveSessions(leases.store, server.cached_sessions),
    statuses: new Statuses(),
    works: new Works(),
    questions: new Questions(),
    turns: new TurnQueues(leases),
    streams: new Streams(server.most_streams),
    metrics: new Metrics(),
    inFlight: new InFlight(),
  }
  const listening = [obeyCancels(leases.store, services.works), hearAnswers(leases.store, services.questions)]
  const app = new Hono<Env>()
  app.onError(refused)
  app.use(watched(services, deps), securityHeaders, checkHost(server), checkOrigin(server))
  openRoutes(app, services)
  let document: string | undefined
  app.get('/v1/openapi.json', (context) => {
    document ??= JSON.stringify(openApiDocument(deps.version))
    return context.body(document, 200, { 'content-type': 'application/json' })
  })
  webPage(app, deps.webFolder)
  app.use(checkToken(deps.tokens), refuseWhenStopping(services), noHead, limitBody(server.body_limit_bytes))
  for (const add of [sessionRoutes, messageRoutes, contextRoutes, compactRoutes, eventRoutes, systemRoutes])
    add(app, services)
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
  const shown = { code, message, request_id: context.get('requestId'), ...(running === undefined ? {} : { running }) }
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
      ...(context.get('token') === undefined ? {} : { token: context.get('token').name }),
      ...(status >= 500 && context.error !== undefined ? { error: String(context.error.stack ?? context.error) } : {}),
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
