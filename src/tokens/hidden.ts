import { partsOf } from '../model/message.ts'
import { isNativeCompaction } from '../model/native-compaction.ts'
import { runningTotals, type Sequence } from '../model/sequence.ts'
import type { Item } from '../model/view.ts'
import { type Estimator, messageTokens } from './estimate/estimator.ts'
import { perEstimator } from './estimate/per-estimator.ts'

/**
 * The estimated tokens among the first `count` items that no provider reads any more, because they stand before a compaction
 * of its own. Messages of the user alone before such an item are read: so OpenAI gives back a list that it has compacted.
 */
export function hiddenTokens(items: Sequence<Item>, count: number, estimator: Estimator): number {
  return hiddenTotals(estimator)(items)[count] ?? 0
}

const hiddenTotals = perEstimator((estimator) =>
  runningTotals<Item, { before: number; isAnswered: boolean }>(
    0,
    (hidden, { message }, _index, seen) => {
      const native = partsOf(message).find(isNativeCompaction)
      const now = native !== undefined && (seen.isAnswered || native.type === 'text') ? seen.before : hidden
      seen.before += messageTokens(message, estimator)
      if (message.role === 'assistant') seen.isAnswered = true
      return now
    },
    () => ({ before: 0, isAnswered: false }),
  ),
)
