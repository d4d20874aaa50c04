import { createHash } from 'node:crypto'
import { type Segment, tokensOf } from './token-count.ts'

/** The tokens that a request reads from the cache and writes to it. */
export type CacheUse = { readonly cacheRead: number; readonly cacheWrite: number }

export type PromptCache = {
  readonly use: (segments: readonly Segment[]) => CacheUse
  /** Remembers a request that was answered. */
  readonly store: (segments: readonly Segment[]) => void
}

/** The parts that a provider caches, and how long it keeps them without a request. */
export type CacheRules = {
  readonly minimumTokens: number
  readonly lifetimeMs: number
  readonly clock: () => number
}

const REMEMBERED_REQUESTS = 50

/** A cache that needs no marks: the longest beginning shared with any of the latest requests is read (OpenAI, Google). */
export function automaticCache({ minimumTokens, lifetimeMs, clock }: CacheRules): PromptCache {
  const earlier: { readonly text: string; readonly at: number }[] = []
  return {
    use: (segments) => {
      const text = joined(segments)
      const living = earlier.filter(({ at }) => clock() - at <= lifetimeMs)
      const cacheRead = tokensOf(
        living.reduceRight(
          (longest, { text: other }) =>
            other.length <= longest ? longest : Math.max(longest, sharedPrefix(text, other)),
          0,
        ),
      )
      return { cacheRead: cacheRead < minimumTokens ? 0 : cacheRead, cacheWrite: 0 }
    },
    store: (segments) => {
      earlier.push({ text: joined(segments), at: clock() })
      if (earlier.length > REMEMBERED_REQUESTS) earlier.shift()
    },
  }
}

/** So many segments before a breakpoint are looked through for a prefix that was stored. */
const LOOKBACK_SEGMENTS = 20

/** A cache that stores prefixes at breakpoints only, and finds them again shortly before a breakpoint (Anthropic). */
export function breakpointCache({ minimumTokens, lifetimeMs, clock }: CacheRules): PromptCache {
  /** When each prefix was last asked for. */
  const stored = new Map<string, number>()
  return {
    use: (segments) => {
      const ends = breakpoints(segments)
      const hashes = prefixHashes(segments)
      const hits = ends.flatMap((end) => hitBefore(hashes, end))
      const cacheRead = prefixTokens(segments, Math.max(0, ...hits))
      const marked = prefixTokens(segments, ends.at(-1) ?? 0)
      return marked < minimumTokens ? { cacheRead: 0, cacheWrite: 0 } : { cacheRead, cacheWrite: marked - cacheRead }
    },
    store: (segments) => {
      const hashes = prefixHashes(segments)
      for (const end of breakpoints(segments)) stored.set(hashes[end - 1] ?? '', clock())
    },
  }

  function hitBefore(hashes: readonly string[], end: number): number[] {
    for (let length = end; length > Math.max(0, end - LOOKBACK_SEGMENTS); length--) {
      const hash = hashes[length - 1] ?? ''
      const at = stored.get(hash)
      if (at === undefined || clock() - at > lifetimeMs) continue
      stored.set(hash, clock())
      return [length]
    }
    return []
  }
}

/** How many segments each marked prefix has. */
function breakpoints(segments: readonly Segment[]): number[] {
  return segments.flatMap(({ breakpoint }, i) => (breakpoint === true ? [i + 1] : []))
}

/** One hash for each prefix, that of all segments last. */
function prefixHashes(segments: readonly Segment[]): string[] {
  let last = ''
  return segments.map(({ key = '', text }) => {
    last = createHash('sha1').update(`${last} ${key} ${text}`).digest('hex')
    return last
  })
}

function prefixTokens(segments: readonly Segment[], length: number): number {
  return tokensOf(segments.slice(0, length).reduce((sum, { text }) => sum + text.length, 0))
}

function joined(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join('')
}

/** Compares slices, halving what is left: characters one by one take many times as long. */
function sharedPrefix(a: string, b: string): number {
  let same = 0
  let differs = Math.min(a.length, b.length) + 1
  while (differs - same > 1) {
    const middle = (same + differs) >> 1
    if (a.slice(same, middle) === b.slice(same, middle)) same = middle
    else differs = middle
  }
  return same
}
