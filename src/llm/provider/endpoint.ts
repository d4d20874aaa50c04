import type { ProviderKind, ProviderSettings, ProvidersSettings } from '../../config/tables/provider-settings.ts'
import { nearest } from '../../model/problems/problem-text.ts'
import { knownProvider, PROVIDERS, type Provider } from './providers.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** How to reach a provider. It contains the key: never put an endpoint into an error, an event or a result. */
export type Endpoint = {
  readonly provider: string
  readonly kind: ProviderKind
  readonly baseUrl: string
  readonly apiKey?: string
  /** The variable or setting that has the key, so that the user can check it. */
  readonly keyFrom: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly isLocal: boolean
  /** True if the user wants the provider's longer cache and it has one. */
  readonly cachesAnHour: boolean
  /** See `Provider`. */
  readonly truncates: boolean
}

/** The setting that is missing before a provider can be called. */
export type MissingSetting = { readonly missing: 'provider' | 'base-url' | 'key'; readonly text: string }

/** The endpoint of a provider from our table, the user's settings and the environment, or the setting that is missing. */
export function endpointOf(id: string, providers: ProvidersSettings, env: Environment): Endpoint | MissingSetting {
  const known = knownProvider(id)
  const own = Object.hasOwn(providers, id) ? providers[id] : undefined
  if (known === undefined && own === undefined) return unknown(id, providers)
  const kind = own?.kind ?? known?.kind ?? 'openai-compatible'
  const written = own?.baseUrl ?? firstSet(known?.baseUrlEnv, env)?.value ?? known?.baseUrl
  if (written === undefined || !URL.canParse(written)) {
    return { missing: 'base-url', text: `provider \`${id}\` has no valid address: set providers.${id}.base_url` }
  }
  const baseUrl = kind === 'anthropic' ? versioned(written) : written
  const isLocal = known?.localPort !== undefined || isLoopback(baseUrl)
  const found = keyOf(id, known, own, env)
  const apiKey = found?.value
  const token = found === undefined ? bearerToken(known, env) : undefined
  const headers = { ...(token === undefined ? {} : { Authorization: `Bearer ${token.value}` }), ...own?.headers }
  if (apiKey === undefined && needsKey(known, own, isLocal) && Object.keys(headers).length === 0) {
    return { missing: 'key', text: keyHint(id, known, own) }
  }
  const truncates = known?.truncates === true
  const cachesAnHour = kind === 'anthropic' && own?.cacheLifetime === '1h'
  const keyFrom = (found ?? token)?.from
  return { provider: id, kind, baseUrl, apiKey, keyFrom, headers, isLocal, cachesAnHour, truncates }
}

/** The secrets of an endpoint: no error or event may contain them. */
export function secretsOf(endpoint: Pick<Endpoint, 'apiKey' | 'headers' | 'baseUrl'>): readonly string[] {
  const values = Object.values(endpoint.headers).flatMap((value) => [value, value.replace(/^Bearer /i, '')])
  const { username, password } = new URL(endpoint.baseUrl)
  return [endpoint.apiKey ?? '', ...values, username, password].filter((secret) => secret.length >= SHORTEST_SECRET)
}

// A shorter text is not a key, and would occur inside ordinary words.
const SHORTEST_SECRET = 6

/** Advice after a provider refused the key. It names the variable or setting, never the key. */
export function keyAdvice({ provider, keyFrom, headers }: Pick<Endpoint, 'provider' | 'keyFrom' | 'headers'>): string {
  if (keyFrom !== undefined) return `check the key in ${keyFrom}`
  return Object.keys(headers).length > 0
    ? `check providers.${provider}.headers`
    : `no key was sent: set providers.${provider}.api_key`
}

/** A value, and the variable or setting that has it. */
type FoundValue = { readonly value: string; readonly from: string }

function keyOf(
  id: string,
  known: Provider | undefined,
  own: ProviderSettings | undefined,
  env: Environment,
): FoundValue | undefined {
  if (own?.apiKey !== undefined) return { value: own.apiKey.trim(), from: `providers.${id}.api_key` }
  return firstSet(own?.apiKeyEnv === undefined ? known?.keyEnv : [own.apiKeyEnv], env)
}

/** Anthropic accepts a bearer token instead of a key. */
function bearerToken(known: Provider | undefined, env: Environment): FoundValue | undefined {
  return known?.id === 'anthropic' ? firstSet(['ANTHROPIC_AUTH_TOKEN'], env) : undefined
}

function needsKey(known: Provider | undefined, own: ProviderSettings | undefined, isLocal: boolean): boolean {
  if (own?.apiKeyEnv !== undefined) return true
  return known === undefined ? false : known.keyEnv.length > 0 && !isLocal
}

function keyHint(id: string, known: Provider | undefined, own: ProviderSettings | undefined): string {
  const [variable = own?.apiKeyEnv ?? ''] = own?.apiKeyEnv === undefined ? (known?.keyEnv ?? []) : [own.apiKeyEnv]
  return `no key for ${id}: set ${variable}, or providers.${id}.api_key in the configuration`
}

function unknown(id: string, providers: ProvidersSettings): MissingSetting {
  if (id === 'example') return { missing: 'provider', text: 'the example session has no model: choose one for it' }
  const meant = nearest(id, [...PROVIDERS.map((provider) => provider.id), ...Object.keys(providers)])
  const hint = meant === undefined ? '' : `did you mean \`${meant}\`? If not, `
  return { missing: 'provider', text: `unknown provider \`${id}\`: ${hint}set providers.${id}.base_url` }
}

function firstSet(names: readonly string[] | undefined, env: Environment): FoundValue | undefined {
  return names?.map((from) => ({ from, value: env[from]?.trim() ?? '' })).find(({ value }) => value !== '')
}

/** Adds the version to an address of Anthropic. Anthropic's own tools write it without the version and the AI SDK with it, so both are accepted. */
function versioned(baseUrl: string): string {
  const bare = baseUrl.replace(/\/+$/, '')
  return /\/v\d+\w*$/.test(bare) ? bare : `${bare}/v1`
}

function isLoopback(baseUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname)
}
