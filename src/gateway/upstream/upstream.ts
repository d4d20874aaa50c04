import type { ProvidersSettings } from '../../config/tables/provider-settings.ts'
import { PROVIDERS } from '../../llm/provider/providers.ts'

/** A provider that requests may be sent to. */
export type Upstream = { readonly name: string; readonly url: URL }

/** The upstream of Codex when it is signed in with ChatGPT. */
export const CHATGPT = 'chatgpt'

/**
 * True for an upstream that the user's subscription pays for. It is offered for the agent's own requests, and its terms do not
 * say whether these may be shortened. So they stay as the agent wrote them, in every mode.
 */
export function isSubscription({ name }: Upstream): boolean {
  return name === CHATGPT
}

/** True for an upstream at the address of the provider that it is named after. */
export function isProvidersOwn({ name, url }: Upstream): boolean {
  const own = PROVIDERS.find(({ id }) => id === name)?.baseUrl
  return own !== undefined && new URL(own).origin === url.origin
}

/**
 * The address of a path at an upstream. Some clients put the version into the path and some into the base URL. If the base
 * URL ends with it and the path starts with it, it is written once.
 */
export function addressAt({ url }: Upstream, path: string): URL {
  const base = baseOf(url)
  const version = /\/v\d+\w*$/.exec(base)?.[0]
  const rest = version !== undefined && path.startsWith(`${version}/`) ? path.slice(version.length) : path
  return new URL(`${url.origin}${base}${rest}`)
}

/** False for a path that leaves the upstream's own, with a `..` or with an encoded one that some servers decode. */
export function isBelow(upstream: Upstream, path: string): boolean {
  const { pathname } = addressAt(upstream, path)
  return pathname.startsWith(`${baseOf(upstream.url)}/`) && !pathname.split(SEPARATOR).some((step) => PARENT.test(step))
}

const SEPARATOR = /\/|\\|%2f|%5c/i
/** Some servers ignore the text after a semicolon. */
const PARENT = /^(?:\.|%2e){2}(?:$|;|%3b)/i

function baseOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '')
}

/**
 * The upstreams that requests may go to: the providers that Pith knows, those of the configuration, and those that were named
 * for the gateway. The gateway is not an open proxy: it sends nothing elsewhere.
 */
export function knownUpstreams(
  providers: ProvidersSettings,
  named: Readonly<Record<string, string>>,
): readonly Upstream[] {
  const known = PROVIDERS.map(({ id, baseUrl }) => [id, baseUrl] as const)
  const configured = Object.entries(providers).flatMap(([id, { baseUrl }]) =>
    baseUrl === undefined ? [] : [[id, baseUrl] as const],
  )
  const urls = new Map([...known, ...configured, ...Object.entries(named)])
  return [...urls].map(([name, url]) => ({ name, url: new URL(url) }))
}
