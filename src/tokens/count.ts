import type { Message } from '../model/message.ts'
import { runningTotal, type Sequence } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'
import { type Estimator, messageTokens } from './estimate.ts'

/** The estimated tokens of items `from` to `to` of a view. After one more message only that message is counted. */
export function itemTokens(items: Sequence<Item>, from: number, to: number, estimator: Estimator): number {
  const total = totalsOf(estimator)
  return total(items, to) - total(items, from)
}

/** The estimated tokens of some messages. */
export function messagesTokens(messages: readonly Message[], estimator: Estimator): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, estimator), 0)
}

type Totals = (items: Sequence<Item>, count: number) => number

const totals = new WeakMap<Estimator, Totals>()

function totalsOf(estimator: Estimator): Totals {
  let total = totals.get(estimator)
  if (total === undefined) {
    total = runningTotal<Item, number>(
      () => 0,
      (sum, item) => sum + messageTokens(item.message, estimator),
    )
    totals.set(estimator, total)
  }
  return total
}
