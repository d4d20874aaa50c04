import { PithError } from '../model/problems/errors.ts'
import type { Entry, EntryDraft, Seq } from '../model/types.ts'
import type { SessionId, Store } from '../store/store.ts'

/** Keeps a message through every later compaction. */
export async function pin(store: Store, id: SessionId, target: Seq): Promise<Entry> {
  await requireEntry(store, id, target, 'message')
  return appendOne(store, id, { type: 'pin', target, on: true })
}

/** Lets later compactions replace a pinned message again. */
export async function unpin(store: Store, id: SessionId, target: Seq): Promise<Entry> {
  await requireEntry(store, id, target, 'message')
  return appendOne(store, id, { type: 'pin', target, on: false })
}

/** Replaces the text of a compaction's summary by the user's. */
export async function editSummary(store: Store, id: SessionId, of: Seq, summary: string): Promise<Entry> {
  await requireEntry(store, id, of, 'compaction')
  return appendOne(store, id, { type: 'edit', of, summary })
}

/** Throws when the entry is unknown or of another type. */
async function requireEntry(store: Store, id: SessionId, seq: Seq, type: Entry['type']): Promise<void> {
  const { entries } = await store.entries(id, { seqs: [seq] })
  const [entry] = entries
  if (entry === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  if (entry.type !== type)
    throw new PithError('unknown-entry', `entry #${seq} is not a ${type}: its type is ${entry.type}`)
}

async function appendOne(store: Store, id: SessionId, draft: EntryDraft): Promise<Entry> {
  const appended = await store.append(id, [draft])
  const entry = appended.ok ? appended.entries[0] : undefined
  if (entry === undefined) throw new Error('unreachable: an append without conditions is not refused')
  return entry
}
