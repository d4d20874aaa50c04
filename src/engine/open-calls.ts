import { callsOf, resultsOf } from '../model/message.ts'
import { runningTotal } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'

type Open = { readonly ids: Set<string>; readonly count: number }

const totals = runningTotal<Item, Open>(
  () => ({ ids: new Set(), count: 0 }),
  // The set is shared along the way, as each item is visited once and in order; the count is what is remembered.
  ({ ids }, { message }) => {
    for (const call of callsOf(message)) if (call.providerExecuted !== true) ids.add(call.toolCallId)
    for (const result of resultsOf(message)) ids.delete(result.toolCallId)
    return { ids, count: ids.size }
  },
)

/** How many calls in the first `count` items have no result there yet. */
export function openCalls(items: Parameters<typeof totals>[0], count: number): number {
  return totals(items, count).count
}
