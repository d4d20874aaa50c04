import type { Message } from '../model/message.ts'
import { runningTotals, type Sequence } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'
import { type Estimator, messageTokens } from './estimate.ts'

/** The estimated tokens of items `from` to `to` of a view. After one more message only that message is counted. */
export function itemTokens(items: Sequence<Item>, from: number, to: number, estimator: Estimator): number {
  const totals = tokenTotals(items, estimator)
  return (totals[to] ?? 0) - (totals[from] ?? 0)
}

/** For each index of a view the estimated tokens of the items before it. */
export function tokenTotals(items: Sequence<Item>, estimator: Estimator): ArrayLike<number> {
  let totals = totalsBy.get(estimator)
  if (totals === undefined) {
    totals = runningTotals<Item>(0, (sum, item) => sum + messageTokens(item.message, estimator))
    totalsBy.set(estimator, totals)
  }
  return totals(items)
}

/** The estimated tokens of some messages. */
export function messagesTokens(messages: readonly Message[], estimator: Estimator): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, estimator), 0)
}

const totalsBy = new WeakMap<Estimator, (items: Sequence<Item>) => ArrayLike<number>>()
