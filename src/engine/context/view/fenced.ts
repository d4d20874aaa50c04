import { Items } from '../../../model/items.ts'
import type { View } from '../../../model/view.ts'

/**
 * The view without its fenced beginning, which goes up to the last compaction that a provider made itself: the part that a
 * compaction may change. A provider does not read what stands before its compaction, so a record has its place behind it.
 */
export function openPart(view: View): View {
  const { fenced } = view.items
  return fenced === 0 ? view : { ...view, items: Items.of(view.items.slice(fenced)) }
}
