import { runningTotals, type Sequence } from '../model/values/sequence.ts'
import type { Item, View } from '../model/view.ts'
import { itemTokens } from './count.ts'
import type { Estimator } from './estimate/estimator.ts'

/** What stands behind the last answer of the model. `from` is the index of its first item, the view's length if there is none. */
export type Unread = { readonly from: number; readonly tokens: number }

/** The unread of a view: the items that the model has not answered yet, and the pending input. */
export function unreadOf({ items }: Pick<View, 'items'>, estimator: Estimator, pendingTokens = 0): Unread {
  const from = unreadFrom(items)
  return { from, tokens: itemTokens(items, from, items.length, estimator) + pendingTokens }
}

/** The index of the first unread item when only the first `count` items are there. */
export function unreadFrom(items: Sequence<Item>, count: number = items.length): number {
  return readTotals(items)[count] ?? 0
}

/** An item in the range of a summary was read: what was said after it has been compacted. */
const readTotals = runningTotals<Item, { upTo: number }>(
  0,
  (read, item, index, last) => {
    if (item.kind === 'summary') last.upTo = Math.max(last.upTo, item.upTo)
    const isRead = item.kind === 'summary' || item.message.role === 'assistant' || item.place <= last.upTo
    return isRead ? index + 1 : read
  },
  () => ({ upTo: 0 }),
)
