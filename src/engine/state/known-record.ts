import type { EntryOf } from '../../model/entry.ts'
import { mergeIndexes } from '../../model/merge-indexes.ts'
import type { Message } from '../../model/message.ts'
import { itemWithoutIndex, rememberItem } from '../view/summary-item.ts'

/** Tells the fold how the record of a compaction was sent: rendered from fewer facts it would be another text. */
export function knownRecord(entry: EntryOf<'compaction'>, record: Message): void {
  const live = { entry, place: entry.upTo, text: entry.summary, sources: [entry], redacted: [] }
  rememberItem(live, { ...itemWithoutIndex(live, record), index: mergeIndexes([entry.indexDelta]) })
}
