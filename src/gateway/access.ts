import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isBelow, type Upstream } from './upstream/upstream.ts'

/** The target of a request: an upstream, or the gateway itself. */
type GatewayRoute =
  | { readonly kind: 'upstream'; readonly upstream: Upstream; readonly path: string }
  | { readonly kind: 'status' }

export type GatewayAccess = {
  readonly prefix: string
  readonly upstreams: readonly Upstream[]
  /** Names by which it may be called besides those of this machine. */
  readonly hosts?: readonly string[]
}

/** A header that may carry the secret instead of the path. It is never passed on. */
export const SECRET_HEADER = 'x-pith-gateway'

/** The one path under the prefix that does not belong to an upstream. */
export const STATUS_PATH = '-/status'

const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The route of a request, or undefined when the gateway must not answer it: the prefix is wrong, the upstream is not on the
 * list, the path leaves that of the upstream, a browser sent it (it has an origin), or the host is another name that
 * somebody bound to this address.
 */
export function routeOf(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  access: GatewayAccess,
): GatewayRoute | undefined {
  if (!isOwnHost(headers.host, access.hosts) || headers.origin !== undefined) return undefined
  const rest = pathAfterSecret(url, headers[SECRET_HEADER], access.prefix)
  if (rest === undefined) return undefined
  if (rest === STATUS_PATH) return { kind: 'status' }
  const [, name, given = '/'] = /^([^/?]+)(.*)$/s.exec(rest) ?? []
  const path = given.startsWith('/') ? given : `/${given}`
  const upstream = access.upstreams.find((each) => each.name === name)
  return upstream === undefined || !isBelow(upstream, path) ? undefined : { kind: 'upstream', upstream, path }
}

/** The path after the secret. The secret is part of the path, or in a header for clients that can take it from a variable only there. */
function pathAfterSecret(url: string, header: string | string[] | undefined, secret: string): string | undefined {
  if (typeof header === 'string') return isSame(header, secret) ? url.slice(1) : undefined
  const [, prefix = '', rest = ''] = /^\/([^/?]+)\/(.*)$/s.exec(url) ?? []
  return isSame(prefix, secret) ? rest : undefined
}

function isOwnHost(host = '', hosts: readonly string[] = []): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return OWN_NAMES.has(name) || hosts.some((each) => [name, host.toLowerCase()].includes(each.toLowerCase()))
}

/** Takes the same time for every text, so that nobody can guess the prefix by timing. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
