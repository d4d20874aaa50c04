import { runningTotal, type Sequence } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'
import { isUserMessage } from './index-delta.ts'

/** The index of the last message of the user among the first `count` items, or -1. */
export const lastUserIndex: (items: Sequence<Item>, count: number) => number = runningTotal<Item, number>(
  () => -1,
  (last, item, index) => (isUserMessage(item) ? index : last),
)

/** The index of the first message of the user among the first `count` items, or -1. */
export const firstUserIndex: (items: Sequence<Item>, count: number) => number = runningTotal<Item, number>(
  () => -1,
  (first, item, index) => (first === -1 && isUserMessage(item) ? index : first),
)
