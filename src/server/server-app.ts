import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { openApiDocument, ROUTES } from '../contract/document.ts'
import {
  checkAccess,
  checkHost,
  checkLink,
  checkOrigin,
  checkToken,
  limitRequests,
  securityHeaders,
} from './access/check-request.ts'
import { HttpError, type McpRoute, type RequestEnv, shownError } from './http/http-error.ts'
import { limitBody } from './http/request-body.ts'
import { LoopLag, Metrics, timedStore } from './observe/metrics.ts'
import { StoreReadiness } from './observe/store-readiness.ts'
import { watchRequests } from './observe/watch-requests.ts'
import { RetentionTask } from './retention/retention-task.ts'
import { compactHandlers } from './routes/compact/compact-handlers.ts'
import { contextHandlers } from './routes/context/context-handlers.ts'
import { leaveOutHandlers } from './routes/context/leave-out-handlers.ts'
import { eventHandlers } from './routes/events/event-handlers.ts'
import { messageHandlers } from './routes/messages/message-handlers.ts'
import { memoryHandlers } from './routes/overview/memory-handlers.ts'
import { overviewHandlers } from './routes/overview/overview-handlers.ts'
import { linkHandlers } from './routes/sessions/link-handlers.ts'
import { sessionHandlers } from './routes/sessions/session-handlers.ts'
import { openHandlers, systemHandlers } from './routes/system/system-handlers.ts'
import { tokenHandlers } from './routes/system/token-handlers.ts'
import { Accounts } from './sessions/accounts.ts'
import { AgentSessions, storeWithAgents } from './sessions/agent-sessions.ts'
import { LiveSessions } from './sessions/live-sessions.ts'
import { ProjectMemories } from './sessions/project-memories.ts'
import { type ServerDeps, type Services, SessionModels } from './sessions/services.ts'
import { Statuses } from './sessions/statuses.ts'
import { Feeds } from './stream/feeds.ts'
import { Streams } from './stream/streams.ts'
import { webPage } from './web-page.ts'
import { hearAnswers, hearSteering, obeyCancels, PermissionQuestions, Steering } from './work/turn-input.ts'
import { InFlight, TurnQueues, WorkList } from './work/work-list.ts'

/** A server without a port: it answers requests until it is stopped. */
export type ServerApp = {
  readonly app: Hono<RequestEnv>
  readonly services: Services
  /** To be started when the server listens: one that cannot must not delete anything. */
  readonly retention: RetentionTask
  /** From now on `/ready` says no; everything else continues. */
  leave(): void
  /** Takes no new work, ends running work, closes the streams. The store stays open, because the caller opened it. */
  stop(graceMs?: number): Promise<void>
}

const HANDLERS = [
  ...sessionHandlers,
  ...linkHandlers,
  ...overviewHandlers,
  ...memoryHandlers,
  ...messageHandlers,
  ...contextHandlers,
  ...leaveOutHandlers,
  ...compactHandlers,
  ...eventHandlers,
  ...tokenHandlers,
  ...systemHandlers,
]

/** Before the sign-in the caller is not known, so little is read. */
const SIGN_IN_BYTES = 4_096

/** Puts a server together. */
export function createApp(deps: ServerDeps): ServerApp {
  let isLeaving = false
  const services = servicesOf(deps, () => isLeaving)
  const { server, store, workList, questions, steering, streams, sessions, metrics } = services
  const listening = [obeyCancels(store, workList), hearAnswers(store, questions), hearSteering(store, steering)]
  const retention = new RetentionTask({
    ...services,
    rules: server.retention,
    onDeleted: (session) => sessions.forget(session),
  })
  services.access.watch()
  const app = new Hono<RequestEnv>()
  app.onError(errorAnswer)
  app.use(watchRequests({ metrics, log: deps.log }), securityHeaders, checkHost(server), checkOrigin(server))
  app.use('/v1/sign-in', limitBody({ bytes: SIGN_IN_BYTES }))
  for (const add of openHandlers) add(app, services)
  serveDocument(app, deps.version)
  webPage(app, deps.webFolder)
  app.use(checkToken(services.access), checkLink, refuseWhenStopping(services), limitRequests(server.most_requests))
  serveMcpRoute(app, deps.mcp)
  app.use(checkAccess, noHead, limitBody({ bytes: server.body_limit_bytes, setting: 'server.body_limit_bytes' }))
  for (const add of HANDLERS) add(app, services)
  app.all('*', ({ req }) => {
    throw unknownRoute(req.method, req.path)
  })
  return {
    app,
    services,
    retention,
    leave() {
      isLeaving = true
    },
    async stop(graceMs = server.grace_ms) {
      const drained = workList.drain(graceMs)
      streams.closeAll()
      await deps.mcp?.close()
      await drained
      await retention.close()
      await sessions.close()
      await services.access.close()
      await services.agentSessions?.close()
      await deps.machineMemories?.close()
      await deps.agentFiles?.close?.()
      for (const end of listening) end()
      services.lag.close()
    },
  }
}

function servicesOf(deps: ServerDeps, isLeaving: () => boolean): Services {
  const { server } = deps
  const models = new SessionModels(deps.access.budgets.metered(deps.models), deps.settings)
  const agentSessions = deps.agentFiles === undefined ? undefined : new AgentSessions(deps.agentFiles, models.known)
  const metrics = new Metrics()
  const own = timedStore(deps.store, metrics)
  const store = agentSessions === undefined ? own : storeWithAgents(own, agentSessions)
  return {
    ...deps,
    store,
    agentSessions,
    models,
    sessions: new LiveSessions(store, server.cached_sessions),
    statuses: new Statuses(),
    accounts: new Accounts(),
    memories: new ProjectMemories(),
    workList: new WorkList(),
    questions: new PermissionQuestions(),
    steering: new Steering(),
    turns: new TurnQueues(store, server.lease_ms),
    streams: new Streams(server.most_streams),
    feeds: new Feeds(),
    metrics,
    inFlight: new InFlight(),
    lag: new LoopLag(),
    storeReadiness: new StoreReadiness(store),
    isLeaving,
  }
}

/** Serves the OpenAPI document, made at the first request for it. */
function serveDocument(app: Hono<RequestEnv>, version: string): void {
  let document: string | undefined
  app.get('/v1/openapi.json', (context) => {
    document ??= JSON.stringify(openApiDocument(version))
    return context.body(document, 200, { 'content-type': 'application/json' })
  })
}

/** Serves MCP. Every request there is a POST, so the tool decides what a token may do. */
function serveMcpRoute(app: Hono<RequestEnv>, mcp: McpRoute | undefined): void {
  if (mcp === undefined) return
  app.all('/mcp', (context) => {
    context.set('route', '/mcp')
    return mcp.answer(context.req.raw, context.get('caller'))
  })
}

/** Every error has the same shape. */
function errorAnswer(error: Error, context: Context<RequestEnv>): Response {
  const { status, code, message, running, retryAfterSeconds } = shownError(error, context.req.method)
  if (status === 429) context.header('retry-after', String(retryAfterSeconds))
  return context.json({ error: { code, message, request_id: context.get('requestId'), running } }, status)
}

function refuseWhenStopping({ workList }: Services): MiddlewareHandler<RequestEnv> {
  return async (context, next) => {
    if (workList.isStopping && context.req.method !== 'DELETE') {
      context.header('connection', 'close')
      context.header('retry-after', '1')
      throw new HttpError(503, 'stopping', 'the server is stopping: try again')
    }
    await next()
  }
}

const noHead: MiddlewareHandler<RequestEnv> = async ({ req }, next) => {
  if (req.raw.method === 'HEAD') throw new HttpError(405, 'bad-method', 'HEAD is not answered here: use GET')
  await next()
}

const PATHS = ROUTES.map(({ path, method }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

function unknownRoute(method: string, path: string): HttpError {
  const methods = PATHS.filter(({ pattern }) => pattern.test(path)).map((route) => route.method)
  if (methods.length === 0) return new HttpError(404, 'unknown-path', 'there is nothing at this path')
  return new HttpError(405, 'bad-method', `${method} is not for this path: ${[...new Set(methods)].join(', ')}`)
}
