import * as contract from '../../../contract/routes/system-routes.ts'
import type { WireToken } from '../../../contract/shapes/shapes.ts'
import { callerWithLogin, loginCookie, loginIn, tokenToSignIn } from '../../access/known-caller.ts'
import { type Caller, HttpError } from '../../http/http-error.ts'
import type { Services } from '../../sessions/services.ts'
import { type Handler, handler } from '../handler.ts'

/** Gives a browser a login for a token or a link. */
const signIn = handler(contract.signInRoute, async ({ body, request }, services) => {
  const token = await tokenToSignIn(services.access, body)
  if (token === undefined)
    throw new HttpError(401, 'no-token', `this server does not know that ${body.link === undefined ? 'token' : 'link'}`)
  const made = await services.access.makeGrant({ kind: 'login', token: token.hash })
  const caller = made && (await callerWithLogin(services.access, made.secret))
  if (made === undefined || caller === undefined) throw new HttpError(401, 'no-token', 'this token has just ended')
  return Response.json(tokenAnswer(caller, services), {
    headers: { 'set-cookie': loginCookie(request, made.secret, made.expires) },
  })
})

/** Ends the login of a browser, in all of its tabs. */
const signOut = handler(contract.signOutRoute, async ({ request }, { access }) => {
  const login = loginIn(request)
  if (login !== undefined) await access.endGrant(login)
  const gone = new Date(0).toISOString()
  return Response.json({ signed_out: true }, { headers: { 'set-cookie': loginCookie(request, '', gone) } })
})

/** The caller's token, without the secret. */
function tokenAnswer({ name, owner, access, isAdmin, session }: Caller, { server, version }: Services): WireToken {
  return { name, owner, access, admin: isAdmin, session, workspaces: Object.keys(server.workspaces), version }
}

const health = handler(contract.healthRoute, async () => ({ status: 'ok' as const }))

const ready = handler(contract.readyRoute, async (_, { workList, storeReadiness, isLeaving }) => {
  if (isLeaving() || workList.isStopping) throw new HttpError(503, 'stopping', 'the server is stopping')
  await storeReadiness.run()
  return { status: 'ready' as const }
})

const counters = handler(contract.metricsRoute, async (_, { metrics, workList, streams, lag, store }) => {
  const { user, system } = process.cpuUsage()
  const late = lag.read()
  const pool = store.connections?.()
  const text = metrics.text({
    pith_running: workList.running.length,
    pith_streams: streams.size,
    pith_memory_bytes: process.memoryUsage.rss(),
    pith_cpu_seconds: (user + system) / 1_000_000,
    pith_event_loop_lag_seconds: late.mean,
    pith_event_loop_lag_most_seconds: late.most,
    ...(pool === undefined
      ? {}
      : {
          pith_store_connections: pool.all,
          pith_store_connections_idle: pool.idle,
          pith_store_waiting: pool.waiting,
        }),
  })
  return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4' } })
})

const whoami = handler(contract.whoamiRoute, async ({ caller }, services) => tokenAnswer(caller, services))

/** The routes that need no token: whether the process is alive and takes work, and the sign-in. */
export const openHandlers: readonly Handler[] = [health, ready, signIn, signOut]

/** Counters, and the caller's token. */
export const systemHandlers: readonly Handler[] = [counters, whoami]
