import type { ProviderKind } from '../../config/tables/provider-settings.ts'
import type { Message, ProviderOptions } from '../../model/types.ts'
import type { Endpoint } from '../provider/endpoint.ts'
import type { ModelCall } from './chat-model.ts'

/**
 * Anthropic caches up to a mark, and allows four marks. We set them after tools and system prompt, after the first message
 * (which may be a summary), at the end of the previous request, and at the end of this one. The third makes a hit certain:
 * Anthropic searches only 20 blocks back from a mark, and parallel calls can have more.
 */
function cacheMarks({ messages, cachedMessages }: ModelCall): ReadonlySet<number> {
  const previous = cachedMessages ?? messages.findLastIndex((message) => message.role === 'assistant')
  return new Set([0, previous - 1, messages.length - 1].filter((index) => index >= 0 && index < messages.length))
}

/** The facts about an endpoint that decide how its requests are cached. */
export type CacheSettings = Pick<Endpoint, 'kind' | 'cachesAnHour'>

/** The messages with their cache marks, for a provider that needs them. */
export function markedMessages(call: ModelCall, { kind, cachesAnHour }: CacheSettings): readonly Message[] {
  if (kind !== 'anthropic') return call.messages
  const mark = cacheMark(cachesAnHour)
  const marks = cacheMarks(call)
  return call.messages.map((message, index) => (marks.has(index) ? withMark(message, mark) : message))
}

/** Options of the whole request that help a provider find its cache. */
export function cacheOptions(call: ModelCall, kind: ProviderKind): ProviderOptions {
  return kind === 'openai' && call.cacheKey !== undefined ? { openai: { promptCacheKey: call.cacheKey } } : {}
}

/** How long a provider caches a prefix that is not used again, if that is documented. A local server keeps its last one. */
export function cacheLifetimeMs({ provider, kind, isLocal, cachesAnHour }: Endpoint): number | undefined {
  if (cachesAnHour) return 60 * MINUTE_MS
  return isLocal ? Number.POSITIVE_INFINITY : (LIFETIMES_MS[provider] ?? LIFETIMES_MS[kind])
}

const MINUTE_MS = 60_000
const LIFETIMES_MS: Readonly<Record<string, number>> = {
  anthropic: 5 * MINUTE_MS,
  openai: 5 * MINUTE_MS,
  google: 3 * MINUTE_MS,
  deepseek: 60 * MINUTE_MS,
}

/** The mark up to which a prompt is cached. Without a lifetime, Anthropic keeps it for five minutes. */
export function cacheMark(anHour: boolean) {
  const cacheControl = anHour ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
  return { anthropic: { cacheControl } } satisfies ProviderOptions
}

function withMark<M extends Message>(message: M, mark: ReturnType<typeof cacheMark>): M {
  const { providerOptions } = message
  return {
    ...message,
    providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.anthropic, ...mark.anthropic } },
  }
}
