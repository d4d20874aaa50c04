import type { Entry, EntryDraft } from '../model/entry.ts'
import { PithError } from '../model/errors.ts'
import type { Seq } from '../model/ids.ts'
import type { SessionId, Store } from '../store/store.ts'

/** Refuses, in one line, an entry that is not there or is of another type. */
export async function requireEntry(store: Store, id: SessionId, seq: Seq, type: Entry['type']): Promise<void> {
  const { entries } = await store.entries(id, { seqs: [seq] })
  const [entry] = entries
  if (entry === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  if (entry.type !== type) throw new PithError('unknown-entry', `entry #${seq} is a ${entry.type}, not a ${type}`)
}

/** Appends one entry without conditions. */
export async function appendOne(store: Store, id: SessionId, draft: EntryDraft): Promise<Entry> {
  const appended = await store.append(id, [draft])
  const entry = appended.ok ? appended.entries[0] : undefined
  if (entry === undefined) throw new Error('unreachable: an append without conditions is not refused')
  return entry
}
