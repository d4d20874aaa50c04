import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { SessionId, Store } from '../store/store.ts'
import { appendOne, requireEntry } from './entries.ts'

/** Replaces the text of a compaction's summary by the user's. */
export async function editSummary(store: Store, id: SessionId, of: Seq, summary: string): Promise<Entry> {
  await requireEntry(store, id, of, 'compaction')
  return appendOne(store, id, { type: 'edit', of, summary })
}
