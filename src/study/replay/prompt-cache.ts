import type { Items } from '../../model/items.ts'

/** The cached part of a request: a share of the fixed parts and of this many items of the view. */
export type CacheLookup =
  | { readonly kind: 'hit'; readonly items: number; readonly formerItems: number; readonly share: number }
  | { readonly kind: 'empty' | 'expired' }

/** How long a cache lasts, and how long the recorded one lasted. */
export type CacheLife = {
  readonly lifetimeMs: number
  readonly seenLifetimeMs: number
  /** True if the provider caches up to marks, which agents set at the end of each request. Otherwise any shared beginning is found. */
  readonly atMarks?: boolean
}

/** A provider's prompt cache: it has the last request, from its beginning on, until it was not used for some time. */
export class PromptCache {
  readonly #life: CacheLife
  #last: { readonly items: Items; readonly at: number } | undefined
  /** The ends of the last request and of earlier ones that it starts with word for word, ascending. */
  #ends: number[] = []

  constructor(life: CacheLife) {
    this.#life = life
  }

  /** The cached part of a request at that time. `seenShare` is the share that the provider reported for it, if it did. */
  look(items: Items, at: number, seenShare?: number): CacheLookup {
    if (this.#last === undefined) return { kind: 'empty' }
    const share = this.#share(at - this.#last.at, seenShare)
    if (share === undefined) return { kind: 'expired' }
    const common = commonItems(this.#last.items, items)
    const found = this.#life.atMarks === true ? (this.#ends.findLast((end) => end <= common) ?? 0) : common
    return { kind: 'hit', items: found, formerItems: this.#last.items.length, share }
  }

  /** Stores a request that was sent: from now on the provider has it in its cache. */
  keep(items: Items, at: number): void {
    const isAlive = this.#last !== undefined && at - this.#last.at <= this.#life.lifetimeMs
    const common = this.#last === undefined || !isAlive ? 0 : commonItems(this.#last.items, items)
    while ((this.#ends.at(-1) ?? 0) > common) this.#ends.pop()
    this.#ends.push(items.length)
    this.#last = { items, at }
  }

  #share(waitedMs: number, seen: number | undefined): number | undefined {
    const { lifetimeMs, seenLifetimeMs } = this.#life
    const isExpired = waitedMs > lifetimeMs
    if (seen === undefined) return isExpired ? undefined : 1
    if (lifetimeMs === seenLifetimeMs) return seen
    // With another lifetime the clock decides: an entry that had expired in the recording may still be there.
    if (isExpired) return undefined
    return waitedMs > seenLifetimeMs ? 1 : seen
  }
}

function commonItems(a: Items, b: Items): number {
  const shorter = Math.min(a.length, b.length)
  // Lists with the same storage agree on their common prefix.
  if (a.sharesWith(b)) return shorter
  let common = 0
  while (common < shorter && a.at(common)?.message === b.at(common)?.message) common++
  return common
}
