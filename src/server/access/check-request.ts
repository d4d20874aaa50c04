import type { MiddlewareHandler } from 'hono'
import type { ServerSettings } from '../../config/tables/program-settings.ts'
import { HttpError, type RequestEnv } from '../http/http-error.ts'
import type { AccessBook } from './access-book.ts'
import { callerWithLogin, callerWithSecret, isOwnOrigin, loginIn } from './known-caller.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Adds the headers that keep a browser from doing more with an answer than the web inspector needs. */
export const securityHeaders: MiddlewareHandler<RequestEnv> = async (context, next) => {
  await next()
  const { headers } = context.res
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}

const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Refuses a `Host` that is not ours: otherwise a page could bind its own name to this address (DNS rebinding). */
export function checkHost({ host, hosts }: ServerSettings): MiddlewareHandler<RequestEnv> {
  const names = new Set([...OWN_NAMES, host.toLowerCase(), ...hosts.map((name) => name.toLowerCase())])
  return async (context, next) => {
    const given = hostOf(context.req.header('host') ?? new URL(context.req.url).host)
    if (!names.has(given.name) && !names.has(given.whole))
      throw new HttpError(403, 'bad-host', 'this server is not known by that name: add it to server.hosts')
    await next()
  }
}

/** Refuses pages of other origins, except those that the configuration lists: they get the CORS headers. */
export function checkOrigin({ origins }: ServerSettings): MiddlewareHandler<RequestEnv> {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin))
  return async (context, next) => {
    const origin = context.req.header('origin')
    if (origin === undefined) return next()
    if (isOwnOrigin(context.req.raw)) return next()
    if (!allowed.has(origin)) throw new HttpError(403, 'bad-origin', 'pages of that origin may not call this server')
    context.header('access-control-allow-origin', origin)
    context.header('vary', 'origin')
    if (context.req.method !== 'OPTIONS') return next()
    context.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
    context.header('access-control-allow-headers', 'authorization, content-type, idempotency-key, last-event-id')
    context.header('access-control-max-age', '600')
    return context.body(null, 204)
  }
}

/** Requires a token, or the login of a browser, and sets the caller. */
export function checkToken(access: AccessBook): MiddlewareHandler<RequestEnv> {
  return async (context, next) => {
    const { raw } = context.req
    const header = context.req.header('authorization')
    const [, secret] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
    const login = header === undefined ? loginIn(raw) : undefined
    const caller =
      secret !== undefined
        ? await callerWithSecret(access, secret)
        : login === undefined
          ? undefined
          : await callerWithLogin(access, login)
    if (caller === undefined) {
      context.header('www-authenticate', 'Bearer')
      throw new HttpError(401, 'no-token', secret === undefined ? NO_TOKEN : UNKNOWN_TOKEN)
    }
    if (login !== undefined && raw.method !== 'GET' && !isOwnOrigin(raw))
      throw new HttpError(
        403,
        'bad-origin',
        'a browser may change something only from the web inspector of this server',
      )
    context.set('caller', caller)
    await next()
  }
}

const NO_TOKEN = 'send the token of this server: Authorization: Bearer …'
/** The same text for a token that was removed, has expired or never existed, so that it does not help anybody to guess. */
const UNKNOWN_TOKEN = 'this server does not know that token: ask for a new one, or make one with pith serve token add'

/** A link to one session may only read that session and its own token. */
export const checkLink: MiddlewareHandler<RequestEnv> = async (context, next) => {
  const { session } = context.get('caller')
  const { method, path } = context.req
  if (session !== undefined) {
    const own = `/v1/sessions/${encodeURIComponent(session)}`
    const shows = method === 'GET' && (path === '/v1/token' || path === own || path.startsWith(`${own}/`))
    if (!shows) throw new HttpError(403, 'not-allowed', 'this link shows one session, and nothing else')
  }
  await next()
}

/** A read-only token may only read: with GET, or with the preview of a compaction, whose handler checks the body. */
export const checkAccess: MiddlewareHandler<RequestEnv> = async (context, next) => {
  const { name, access } = context.get('caller')
  const { method, path } = context.req
  const reads = method === 'GET' || (method === 'POST' && /^\/v1\/sessions\/[^/]+\/compact$/.test(path))
  if (access === 'read' && !reads) throw readOnly(name)
  await next()
}

/** The refusal of a token that may only read. */
export function readOnly(name: string): HttpError {
  return new HttpError(403, 'read-only', `the token ${name} may only read`)
}

function hostOf(header: string): { name: string; whole: string } {
  const whole = header.toLowerCase()
  return { whole, name: whole.replace(/:\d+$/, '') }
}

/** Refuses requests of a token that has `most` unanswered ones already. */
export function limitRequests(most: number): MiddlewareHandler<RequestEnv> {
  const unanswered = new Map<string, number>()
  return async (context, next) => {
    const { name } = context.get('caller')
    const count = unanswered.get(name) ?? 0
    if (count >= most)
      throw new HttpError(429, 'too-many-requests', `the token ${name} has ${count} requests unanswered: try again`)
    unanswered.set(name, count + 1)
    try {
      await next()
    } finally {
      const left = (unanswered.get(name) ?? 1) - 1
      if (left > 0) unanswered.set(name, left)
      else unanswered.delete(name)
    }
  }
}
