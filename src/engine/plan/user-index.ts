import { runningTotals, type Sequence } from '../../model/values/sequence.ts'
import { type Item, isUserMessage } from '../../model/view.ts'

/** The index of the last message of the user among the first `count` items, or -1. */
export function lastUserIndex(items: Sequence<Item>, count: number): number {
  return lastUsers(items)[count] ?? -1
}

/** The index of the first message of the user among the first `count` items, or -1. */
export function firstUserIndex(items: Sequence<Item>, count: number): number {
  const last = lastUserIndex(items, count)
  // It is most often the first item, or the one behind a summary.
  for (let index = 0; index < last; index++) if (isUserMessage(items.at(index))) return index
  return last
}

const lastUsers = runningTotals<Item>(-1, (last, item, index) => (isUserMessage(item) ? index : last))
