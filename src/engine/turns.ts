import { runningTotals, type Sequence } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'
import { isUserMessage } from './index-delta.ts'

/** The index of the last message of the user among the first `count` items, or -1. */
export function lastUserIndex(items: Sequence<Item>, count: number): number {
  return lastUsers(items)[count] ?? -1
}

/** The index of the first message of the user among the first `count` items, or -1. */
export function firstUserIndex(items: Sequence<Item>, count: number): number {
  return firstUsers(items)[count] ?? -1
}

const lastUsers = runningTotals<Item>(-1, (last, item, index) => (isUserMessage(item) ? index : last))

const firstUsers = runningTotals<Item>(-1, (first, item, index) =>
  first === -1 && isUserMessage(item) ? index : first,
)
