import { partsOf } from '../model/message/message.ts'
import { isNativeCompaction } from '../model/message/native-compaction.ts'
import { runningTotals, type Sequence } from '../model/values/sequence.ts'
import type { Item } from '../model/view.ts'
import { tokenTotals } from './count.ts'
import type { Estimator } from './estimate/estimator.ts'

/**
 * The estimated tokens among the first `count` items that no provider reads any more, because they stand before a compaction
 * of its own. Messages of the user alone before such an item are read: so OpenAI gives back a list that it has compacted.
 */
export function hiddenTokens(items: Sequence<Item>, count: number, estimator: Estimator): number {
  const hidden = hiddenItems(items)[count] ?? 0
  return hidden === 0 ? 0 : (tokenTotals(items, estimator)[hidden] ?? 0)
}

const hiddenItems = runningTotals<Item, { isAnswered: boolean }>(
  0,
  (hidden, { message }, index, seen) => {
    const native = partsOf(message).find(isNativeCompaction)
    const isHidden = native !== undefined && (seen.isAnswered || native.type === 'text')
    if (message.role === 'assistant') seen.isAnswered = true
    return isHidden ? index : hidden
  },
  () => ({ isAnswered: false }),
)
