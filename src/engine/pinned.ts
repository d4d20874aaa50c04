import { runningTotal, type Sequence } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'
import { type Estimator, messageTokens } from '../tokens/estimate.ts'

/** The tokens of the pinned items of a view. */
export function pinnedTokens(items: Sequence<Item>, estimator: Estimator): number {
  let total = totals.get(estimator)
  if (total === undefined) {
    total = runningTotal<Item, number>(
      () => 0,
      (sum, item) => sum + (item.pinned ? messageTokens(item.message, estimator) : 0),
    )
    totals.set(estimator, total)
  }
  return total(items, items.length)
}

const totals = new WeakMap<Estimator, (items: Sequence<Item>, count: number) => number>()
