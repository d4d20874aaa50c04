import type { ProvidersSettings } from '../../config/tables/provider-settings.ts'
import { PROVIDERS } from '../../llm/provider/providers.ts'
import type { Upstream } from './upstream.ts'

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
