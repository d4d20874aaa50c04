import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { SessionId, Store } from '../store/store.ts'
import { appendOne, requireEntry } from './entries.ts'

/** Keeps a message through every later compaction. */
export async function pin(store: Store, id: SessionId, target: Seq): Promise<Entry> {
  await requireEntry(store, id, target, 'message')
  return appendOne(store, id, { type: 'pin', target, on: true })
}

/** Lets a pinned message go again. */
export async function unpin(store: Store, id: SessionId, target: Seq): Promise<Entry> {
  await requireEntry(store, id, target, 'message')
  return appendOne(store, id, { type: 'pin', target, on: false })
}
