import type { Seq } from '../../src/model/ids.ts'
import type { Items } from '../../src/model/items.ts'
import type { Message } from '../../src/model/message/message.ts'
import type { Item } from '../../src/model/view.ts'
import { type Reference, toldWordsOf, wordsOf } from './references.ts'

/** How many references were made, of how many what they name stood in the view, and of how many outside bare lists of names. */
export type Retained = { readonly told: number; readonly named: number; readonly of: number }

/** Who refers to what was said a few steps ago finds it under every policy: only what is further back counts. */
export const FAR_TOKENS = 20_000

/** Counts, request by request, how much of what an answer refers to its view still contained word for word. */
export class RetentionCounter {
  readonly #references: ReadonlyMap<Seq, readonly Reference[]>
  readonly #named = new WordCounts(({ message }) => wordsOf(message))
  readonly #told = new WordCounts(toldWordsOf)
  #shown = new Map<Message, Item>()
  #items: Items | undefined
  #result = { told: 0, named: 0, of: 0 }

  constructor(references: ReadonlyMap<Seq, readonly Reference[]>) {
    this.#references = references
  }

  /** The answer `seq` was written with these items in view. */
  request(seq: Seq, items: Items): void {
    this.#show(items)
    for (const { words, distance } of this.#references.get(seq) ?? []) {
      if (distance < FAR_TOKENS) continue
      this.#result.of++
      if (words.every((word) => this.#named.has(word))) this.#result.named++
      if (words.every((word) => this.#told.has(word))) this.#result.told++
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
        this.#told.count(item, -1)
      }
      for (const item of now.values()) this.#add(item)
    }
    this.#items = items
  }

  #add(item: Item): void {
    if (this.#shown.has(item.message)) return
    this.#shown.set(item.message, item)
    this.#named.count(item, 1)
    this.#told.count(item, 1)
  }
}

/** The words of some items, with how many of the items have each. */
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
