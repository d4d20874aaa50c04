import type { Sequence } from '../../model/sequence.ts'
import type { Item } from '../../model/view.ts'

/** The cached part of a request: the fixed parts and this many items of the view. */
export type CacheLookup =
  | { readonly kind: 'hit'; readonly items: number; readonly formerItems: number }
  | { readonly kind: 'empty' | 'expired' }

/** A provider's prompt cache: it knows the last request, from its beginning on, until nobody has asked for some time. */
export class PromptCache {
  readonly #lifetimeMs: number
  #last: { readonly items: Sequence<Item>; readonly at: number } | undefined

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs
  }

  /** The cached part of a request at that time. */
  look(items: Sequence<Item>, at: number): CacheLookup {
    if (this.#last === undefined) return { kind: 'empty' }
    if (at - this.#last.at > this.#lifetimeMs) return { kind: 'expired' }
    return { kind: 'hit', items: commonItems(this.#last.items, items), formerItems: this.#last.items.length }
  }

  /** The request was sent: from now on it is what the provider knows. */
  keep(items: Sequence<Item>, at: number): void {
    this.#last = { items, at }
  }
}

function commonItems(a: Sequence<Item>, b: Sequence<Item>): number {
  const shorter = Math.min(a.length, b.length)
  // Lists with the same storage agree on their common prefix.
  if (a.storage === b.storage) return shorter
  let common = 0
  while (common < shorter && a.at(common)?.message === b.at(common)?.message) common++
  return common
}
