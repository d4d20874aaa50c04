import type { Message } from '../../model/message/message.ts'
import { runningTotals, type Sequence } from '../../model/values/sequence.ts'
import type { Item } from '../../model/view.ts'

const totals = runningTotals<Item, OpenIds>(
  0,
  (_, { message }, __, open) => {
    note(message, open)
    return open.size
  },
  () => new OpenIds(),
)

/** For each index of a view how many calls before it have no result there yet. */
export function openCallTotals(items: Sequence<Item>): ArrayLike<number> {
  return totals(items)
}

/** How many calls in the first `count` items have no result there yet. */
export function openCalls(items: Sequence<Item>, count: number): number {
  return totals(items)[count] ?? 0
}

/** Calls count before results: a tool that the provider ran has both in one message. */
function note({ content }: Message, open: OpenIds): void {
  if (typeof content === 'string') return
  for (const part of content) {
    if (part.type === 'tool-call' && part.providerExecuted !== true) open.add(part.toolCallId)
  }
  for (const part of content) if (part.type === 'tool-result') open.delete(part.toolCallId)
}

/** The ids of calls without a result. Most often there is one at a time, for which a set is slow. */
class OpenIds {
  #one: string | undefined
  readonly #others = new Set<string>()

  get size(): number {
    return this.#others.size + (this.#one === undefined ? 0 : 1)
  }

  add(id: string): void {
    if (this.#one === undefined && !this.#others.has(id)) this.#one = id
    else if (this.#one !== id) this.#others.add(id)
  }

  delete(id: string): void {
    if (this.#one === id) this.#one = undefined
    else this.#others.delete(id)
  }
}
