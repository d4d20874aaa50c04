import { automaticCache, breakpointCache, type CacheRules, type PromptCache } from './prompt-cache.ts'
import type { Protocol, Reading } from './protocol.ts'

/** A prompt cache for each protocol, model and cache key. */
export function promptCaches(rules: CacheRules): (protocol: Protocol, reading: Reading) => PromptCache {
  const caches = new Map<string, PromptCache>()
  return ({ name }, { cacheKey }) => {
    const key = `${name} ${cacheKey}`
    const cache = caches.get(key) ?? (name === 'anthropic' ? breakpointCache : automaticCache)(rules)
    caches.set(key, cache)
    return cache
  }
}
