import type { Message } from '../model/message/message.ts'
import { runningTotals, type Sequence } from '../model/values/sequence.ts'
import type { Item } from '../model/view.ts'
import { type Estimator, messageTokens, uncertainTokens } from './estimate/estimator.ts'
import { perEstimator } from './estimate/per-estimator.ts'

/** The estimated tokens of items `from` to `to` of a view. After one more message only that message is counted. */
export function itemTokens(items: Sequence<Item>, from: number, to: number, estimator: Estimator): number {
  const totals = tokenTotals(items, estimator)
  return (totals[to] ?? 0) - (totals[from] ?? 0)
}

/** For each index of a view the estimated tokens of the items before it. */
export function tokenTotals(items: Sequence<Item>, estimator: Estimator): ArrayLike<number> {
  return totalsOf(estimator)(items)
}

/** The estimated tokens of items `from` to `to` of a view that every provider counts: their text. */
export function certainTokens(items: Sequence<Item>, from: number, to: number, estimator: Estimator): number {
  const uncertain = uncertainTotals(estimator)(items)
  return itemTokens(items, from, to, estimator) - ((uncertain[to] ?? 0) - (uncertain[from] ?? 0))
}

/** The estimated tokens of some messages. */
export function messagesTokens(messages: readonly Message[], estimator: Estimator): number {
  let tokens = 0
  for (const message of messages) tokens += messageTokens(message, estimator)
  return tokens
}

const uncertainTotals = perEstimator((estimator) =>
  runningTotals<Item>(0, (sum, { message }) => sum + uncertainTokens(message, estimator)),
)

const totalsOf = perEstimator((estimator) =>
  runningTotals<Item>(0, (sum, { message }) => sum + messageTokens(message, estimator)),
)
