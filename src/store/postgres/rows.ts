import type { Entry } from '../../model/entry.ts'
import type { SessionTableRow } from '../rows/session-table-row.ts'
import { readStoredEntry, type StoredEntry } from '../rows/stored-entry.ts'
import type { BadRow, EntryPage, SessionId } from '../store.ts'
import { unknownSession } from '../unknown-session.ts'
import { type Db, rowsOf } from './connection.ts'
import { storable } from './text.ts'

/** A row of `sessions` as it is read. */
export type SessionColumns = SessionTableRow & { readonly place: number }

export const SESSION_COLUMNS =
  'id, place, owner, workspace, title, parent_id, parent_seq, created_at, updated_at, last_seq, revision'

/** Locks the row of a session: until the transaction ends nobody else appends to it, forks it or deletes it. */
export async function lockSession(db: Db, id: SessionId): Promise<SessionColumns> {
  const sql = `SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = $1 AND NOT hidden FOR UPDATE`
  const [row] = await rowsOf<SessionColumns>(db, sql, [storable(id)])
  if (row === undefined) throw unknownSession(id)
  return row
}

/** A row of `entries` as it is read. */
export type EntryRow = StoredEntry & { readonly seq: number; readonly id: string }

/** The entry of a row, or why it cannot be read. */
export function entryFrom(row: EntryRow, light = false): { entry: Entry } | { bad: BadRow } {
  const read = readStoredEntry(row, row.seq, light)
  return typeof read === 'string' ? { bad: { seq: row.seq, id: row.id, reason: read } } : { entry: read }
}

/** The rows as a page. Those that cannot be read are set aside. */
export function pageOf(rows: readonly EntryRow[], light = false): EntryPage {
  const entries: Entry[] = []
  const bad: BadRow[] = []
  for (const row of rows) {
    const read = entryFrom(row, light)
    if ('entry' in read) entries.push(read.entry)
    else bad.push(read.bad)
  }
  return { entries, bad }
}
