import type { MiddlewareHandler } from 'hono'
import type { RequestEnv } from '../http/request-env.ts'

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
