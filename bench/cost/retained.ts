import type { ListRemover } from '../../src/eval/probes/name-lists.ts'
import type { Items } from '../../src/model/items.ts'
import type { Item, Message, Seq } from '../../src/model/types.ts'
import { type Reference, wordsOf, wordsOutsideListsOf } from './references.ts'

/** The far references (`of`), those whose target is anywhere in the view, and those whose target is there outside bare lists of names. */
export type Retained = { readonly found: number; readonly named: number; readonly of: number }

/** References to the last 20,000 tokens are in view under every policy, so only older ones count. */
export const FAR_TOKENS = 20_000

/** Counts, request by request, how many targets of an answer's references its view still contained word for word. */
export class RetentionCounter {
  readonly #references: ReadonlyMap<Seq, readonly Reference[]>
  readonly #farTokens: number
  readonly #named = new WordCounts(({ message }) => wordsOf(message))
  readonly #found: WordCounts
  #shown = new Map<Message, Item>()
  #items: Items | undefined
  #result = { found: 0, named: 0, of: 0 }

  constructor(references: ReadonlyMap<Seq, readonly Reference[]>, withoutLists: ListRemover, farTokens = FAR_TOKENS) {
    this.#found = new WordCounts((item) => wordsOutsideListsOf(item, withoutLists))
    this.#references = references
    this.#farTokens = farTokens
  }

  /** The answer `seq` was written with these items in view. */
  request(seq: Seq, items: Items): void {
    this.#show(items)
    for (const { words, distance } of this.#references.get(seq) ?? []) {
      if (distance < this.#farTokens) continue
      this.#result.of++
      if (words.every((word) => this.#named.has(word))) this.#result.named++
      if (words.every((word) => this.#found.has(word))) this.#result.found++
    }
  }

  result(): Retained {
    return { ...this.#result }
  }

  #show(items: Items): void {
    const fresh = this.#items && items.behind(this.#items)
    if (fresh !== undefined) {
      for (const item of fresh) this.#add(item)
    } else {
      const now = new Map(items.slice().map((item) => [item.message, item]))
      for (const [message, item] of this.#shown) {
        if (now.has(message)) continue
        this.#shown.delete(message)
        this.#named.count(item, -1)
        this.#found.count(item, -1)
      }
      for (const item of now.values()) this.#add(item)
    }
    this.#items = items
  }

  #add(item: Item): void {
    if (this.#shown.has(item.message)) return
    this.#shown.set(item.message, item)
    this.#named.count(item, 1)
    this.#found.count(item, 1)
  }
}

/** Counts, for each word, the items that have it. */
class WordCounts {
  readonly #counts = new Map<string, number>()
  readonly #wordsOf: (item: Item) => ReadonlySet<string>

  constructor(of: (item: Item) => ReadonlySet<string>) {
    this.#wordsOf = of
  }

  has(word: string): boolean {
    return (this.#counts.get(word) ?? 0) > 0
  }

  count(item: Item, by: number): void {
    for (const word of this.#wordsOf(item)) this.#counts.set(word, (this.#counts.get(word) ?? 0) + by)
  }
}
