import type { Message } from '../model/message.ts'
import type { Sequence } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'
import { type Estimator, messageTokens } from './estimate/estimator.ts'
import { perEstimator } from './estimate/per-estimator.ts'

/** The estimated tokens of items `from` to `to` of a view. After one more message only that message is counted. */
export function itemTokens(items: Sequence<Item>, from: number, to: number, estimator: Estimator): number {
  const totals = tokenTotals(items, estimator)
  return (totals[to] ?? 0) - (totals[from] ?? 0)
}

/** For each index of a view the estimated tokens of the items before it. */
export function tokenTotals(items: Sequence<Item>, estimator: Estimator): ArrayLike<number> {
  return totalsFrom(items, 0, estimator).sums
}

/** The estimated tokens of all items from `from` on. The items before are not counted. */
export function tokensSince(items: Sequence<Item>, from: number, estimator: Estimator): number {
  const { base, sums } = totalsFrom(items, from, estimator)
  return (sums[items.length - base] ?? 0) - (sums[from - base] ?? 0)
}

/** The estimated tokens of some messages. */
export function messagesTokens(messages: readonly Message[], estimator: Estimator): number {
  let tokens = 0
  for (const message of messages) tokens += messageTokens(message, estimator)
  return tokens
}

/** `sums[n]`: tokens of the first n items from `base`. Shared by lists with the same storage, filled on demand. */
type Totals = { readonly base: number; readonly sums: number[] }

const totalsByStorage = perEstimator(() => new WeakMap<object, Totals>())

function totalsFrom(items: Sequence<Item>, from: number, estimator: Estimator): Totals {
  const byStorage = totalsByStorage(estimator)
  let totals = byStorage.get(items.storage)
  if (totals === undefined || totals.base > from) {
    totals = { base: from, sums: [0] }
    byStorage.set(items.storage, totals)
  }
  const { base, sums } = totals
  let sum = sums[sums.length - 1] ?? 0
  for (let at = base + sums.length - 1; at < items.length; at++) {
    const item = items.storage[at]
    sum += item === undefined ? 0 : messageTokens(item.message, estimator)
    sums.push(sum)
  }
  return totals
}
