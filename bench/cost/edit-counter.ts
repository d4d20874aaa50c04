import type { Items } from '../../src/model/items.ts'
import type { Message, Seq, Usage } from '../../src/model/types.ts'
import type { ReplayedRequest } from '../../src/study/replay/request-meter.ts'
import { type Edit, shows } from './edits.ts'

/** The edits that replaced text seen before (`of`), those whose old text was in the view, and the cost of reading the rest again. */
export type EditsSeen = { readonly seen: number; readonly of: number; readonly readAgain: number }

/** The size of a tool call that reads a file. */
const CALL_TOKENS = 120

/**
 * Counts the edits whose old text the view still shows. For every other edit the agent would have read the file again: one
 * more request with all of the context, its result as large as it was, which stays in the context until the next reduction.
 */
export class EditCounter {
  readonly #edits: ReadonlyMap<Seq, readonly Edit[]>
  readonly #costOf: (usage: Usage) => number
  /** Messages read again since the last reduction; `#carried` is the tokens that they added to the context. */
  readonly #again = new Set<Message>()
  #carried = 0
  #seen = 0
  #of = 0
  #readAgain = 0

  constructor(edits: ReadonlyMap<Seq, readonly Edit[]>, costOf: (usage: Usage) => number) {
    this.#edits = edits
    this.#costOf = costOf
  }

  /** The answer to this request was written with these items in view. */
  request(request: ReplayedRequest, items: Items): void {
    if (request.compacted !== undefined) {
      this.#again.clear()
      this.#carried = 0
    }
    this.#readAgain += this.#carriedCost(request)
    const edits = this.#edits.get(request.seq)
    if (edits === undefined) return
    const messages = items.slice().map(({ message }) => message)
    for (const { lines, shownBy, tokens } of edits) {
      this.#of++
      if (lines.every((line) => messages.some((message) => shows(message, line)))) this.#seen++
      else if (!this.#again.has(shownBy)) {
        this.#readAgain += this.#priceOf(request.input + this.#carried, tokens)
        this.#carried += tokens + CALL_TOKENS
        this.#again.add(shownBy)
      }
    }
  }

  result(): EditsSeen {
    return { seen: this.#seen, of: this.#of, readAgain: this.#readAgain }
  }

  /** Text that was read again is part of this request, too. The same share of it is cached as of the rest. */
  #carriedCost({ input, cacheRead }: ReplayedRequest): number {
    if (this.#carried === 0 || input === 0) return 0
    const cacheReadTokens = Math.round((this.#carried * cacheRead) / input)
    const cacheWriteTokens = this.#carried - cacheReadTokens
    return this.#costOf({ inputTokens: this.#carried, outputTokens: 0, cacheReadTokens, cacheWriteTokens })
  }

  #priceOf(context: number, tokens: number): number {
    const inputTokens = context + tokens + CALL_TOKENS
    return this.#costOf({
      inputTokens,
      outputTokens: CALL_TOKENS,
      cacheReadTokens: context,
      cacheWriteTokens: inputTokens - context,
    })
  }
}
