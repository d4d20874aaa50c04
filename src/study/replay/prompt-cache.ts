import type { Items } from '../../model/items.ts'

/** The cached part of a request: of the fixed parts and this many items of the view, this share. */
export type CacheLookup =
  | { readonly kind: 'hit'; readonly items: number; readonly formerItems: number; readonly share: number }
  | { readonly kind: 'empty' | 'expired' }

/** How long a cache lasts, and how long the one lasted whose hits were reported. */
export type CacheLife = {
  readonly lifetimeMs: number
  readonly seenLifetimeMs: number
  /** The provider caches up to marks, which agents set at the end of each request; else any shared beginning is found. */
  readonly atMarks?: boolean
}

/** A provider's prompt cache: it knows the last request, from its beginning on, until nobody has asked for some time. */
export class PromptCache {
  readonly #life: CacheLife
  #last: { readonly items: Items; readonly at: number } | undefined
  /** Where the last request and those before it ended that it began with word for word, ascending. */
  #ends: number[] = []

  constructor(life: CacheLife) {
    this.#life = life
  }

  /** The cached part of a request at that time. `seenShare` is what the provider reported for it, if it did. */
  look(items: Items, at: number, seenShare?: number): CacheLookup {
    if (this.#last === undefined) return { kind: 'empty' }
    const share = this.#share(at - this.#last.at, seenShare)
    if (share === undefined) return { kind: 'expired' }
    const common = commonItems(this.#last.items, items)
    const found = this.#life.atMarks === true ? (this.#ends.findLast((end) => end <= common) ?? 0) : common
    return { kind: 'hit', items: found, formerItems: this.#last.items.length, share }
  }

  /** The request was sent: from now on it is what the provider knows. */
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
    // With another lifetime the clock decides, and what had expired then may still be there.
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
