import { hasNativeCompaction } from '../../../model/message/native-compaction.ts'
import { runningTotals, Sequence } from '../../../model/values/sequence.ts'
import type { Item, View } from '../../../model/view.ts'

/**
 * How many items at the beginning of a view are fenced: those up to the last compaction that a provider made itself. No rung
 * touches them. A provider does not read what stands before its compaction, so a record has its place behind it.
 */
export function fencedCount({ items }: Pick<View, 'items'>): number {
  return fencedTotals(items)[items.length] ?? 0
}

/** The view without its fenced beginning: the part that a compaction may change. */
export function openPart(view: View): View {
  const fenced = fencedCount(view)
  return fenced === 0 ? view : { ...view, items: Sequence.of(view.items.slice(fenced)) }
}

const fencedTotals = runningTotals<Item>(0, (fenced, { message }, index) => {
  // The results of calls in the same message belong to it.
  const isResult = message.role === 'tool' && fenced > 0 && fenced === index
  return isResult || hasNativeCompaction(message) ? index + 1 : fenced
})
