import { Items } from '../../../model/items.ts'
import type { View } from '../../../model/types.ts'

/**
 * The part of a view that a compaction may change: everything after the last compaction that a provider made itself. A provider
 * does not read anything before its own compaction, so a record must come after it.
 */
export function openPart(view: View): View {
  const { fenced } = view.items
  return fenced === 0 ? view : { ...view, items: Items.of(view.items.slice(fenced)) }
}
