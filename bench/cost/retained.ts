import type { Seq } from '../../src/model/ids.ts'
import type { Message } from '../../src/model/message.ts'
import type { Sequence } from '../../src/model/sequence.ts'
import type { Item } from '../../src/model/view.ts'
import { type Reference, wordsOf } from './references.ts'

/** How many references were made, and of how many what they name stood in the view. */
export type Retained = { readonly kept: number; readonly of: number }

/** Who refers to what was said a few steps ago finds it under every policy: only what is further back counts. */
export const FAR_TOKENS = 20_000

/** Counts, request by request, how much of what an answer refers to its view still contained word for word. */
export class RetentionCounter {
  readonly #references: ReadonlyMap<Seq, readonly Reference[]>
  readonly #words = new Map<string, number>()
  #messages = new Set<Message>()
  #items: Sequence<Item> | undefined
  #kept = 0
  #of = 0

  constructor(references: ReadonlyMap<Seq, readonly Reference[]>) {
    this.#references = references
  }

  /** The answer `seq` was written with these items in view. */
  request(seq: Seq, items: Sequence<Item>): void {
    this.#show(items)
    for (const { words, distance } of this.#references.get(seq) ?? []) {
      if (distance < FAR_TOKENS) continue
      this.#of++
      if (words.every((word) => (this.#words.get(word) ?? 0) > 0)) this.#kept++
    }
  }

  result(): Retained {
    return { kept: this.#kept, of: this.#of }
  }

  #show(items: Sequence<Item>): void {
    if (this.#items?.storage === items.storage) {
      for (const { message } of items.slice(this.#items.length)) this.#add(message)
    } else {
      const now = new Set(items.slice().map(({ message }) => message))
      for (const message of this.#messages) if (!now.has(message)) this.#count(message, -1)
      for (const message of now) if (!this.#messages.has(message)) this.#count(message, 1)
      this.#messages = now
    }
    this.#items = items
  }

  #add(message: Message): void {
    if (this.#messages.has(message)) return
    this.#messages.add(message)
    this.#count(message, 1)
  }

  #count(message: Message, by: number): void {
    for (const word of wordsOf(message)) this.#words.set(word, (this.#words.get(word) ?? 0) + by)
  }
}
