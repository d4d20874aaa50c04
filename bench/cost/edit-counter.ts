import type { ReplayedRequest } from '../../src/engine/replay/replayed-request.ts'
import type { Seq } from '../../src/model/ids.ts'
import type { Message } from '../../src/model/message.ts'
import type { Prices } from '../../src/model/model-info.ts'
import type { Sequence } from '../../src/model/sequence.ts'
import type { Item } from '../../src/model/view.ts'
import { costOf } from '../../src/tokens/cost.ts'
import { type Edit, shows } from './edits.ts'

/** How many edits replaced text that had been seen, of how many it stood in the view, and what it cost to see the rest. */
export type EditsSeen = { readonly seen: number; readonly of: number; readonly readAgain: number }

/** What a call to a tool takes that reads a file. */
const CALL_TOKENS = 120

/**
 * Counts the edits whose old text the view still shows. For each other one the agent would have read the file again: one
 * more request with all of the context, its result written into the cache.
 */
export class EditCounter {
  readonly #edits: ReadonlyMap<Seq, readonly Edit[]>
  readonly #prices: Prices
  /** Read again since the last compaction. */
  readonly #again = new Set<Message>()
  #seen = 0
  #of = 0
  #readAgain = 0

  constructor(edits: ReadonlyMap<Seq, readonly Edit[]>, prices: Prices) {
    this.#edits = edits
    this.#prices = prices
  }

  /** The answer to this request was written with these items in view. */
  request({ seq, input, compacted }: ReplayedRequest, items: Sequence<Item>): void {
    if (compacted !== undefined) this.#again.clear()
    const edits = this.#edits.get(seq)
    if (edits === undefined) return
    const messages = items.slice().map(({ message }) => message)
    for (const { lines, shownBy, tokens } of edits) {
      this.#of++
      if (lines.every((line) => messages.some((message) => shows(message, line)))) this.#seen++
      else if (!this.#again.has(shownBy)) {
        this.#readAgain += this.#priceOf(input, tokens)
        this.#again.add(shownBy)
      }
    }
  }

  result(): EditsSeen {
    return { seen: this.#seen, of: this.#of, readAgain: this.#readAgain }
  }

  #priceOf(context: number, tokens: number): number {
    const inputTokens = context + tokens + CALL_TOKENS
    const usage = { inputTokens, outputTokens: CALL_TOKENS, cacheReadTokens: context, cacheWriteTokens: tokens }
    return costOf(usage, this.#prices)
  }
}
