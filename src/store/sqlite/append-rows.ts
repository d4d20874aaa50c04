import type { Entry, EntryDraft } from '../../model/types.ts'
import { marksOf } from '../rows/chain-marks.ts'
import { newEntries, opensTurn, sessionAfter } from '../rows/new-entries.ts'
import { storedEntry } from '../rows/stored-entry.ts'
import type { AppendOptions, AppendResult, SessionId, StoreDeps } from '../store.ts'
import type { Database } from './database.ts'
import { selectEntries } from './entry-rows.ts'
import { indexNewRows } from './search-index.ts'
import { columnText, insertChainMarks, logEnd } from './session-rows.ts'

/** Appends inside the caller's transaction. Its write lock gives the order. */
export function appendRows(
  database: Database,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
  deps: StoreDeps,
): AppendResult {
  const end = logEnd(database, id)
  const { key, revision, guard, chain } = options
  const earlier = key === undefined ? undefined : selectAppended(database, id, key)
  if (earlier !== undefined) return { ok: true, entries: earlier }
  if (revision !== undefined && revision !== end.revision) {
    return { ok: false, reason: 'superseded', revision: end.revision }
  }
  const why = guard?.check(selectEntries(database, id, { from: guard.since + 1 }).entries)
  if (why !== undefined) return { ok: false, reason: 'refused', why }
  const entries = newEntries(drafts, end.lastSeq, options, deps)
  for (const [i, entry] of entries.entries()) insertEntry(database, id, end.row + 1 + i, entry)
  indexNewRows(database, end.row, end.row + entries.length)
  const after = sessionAfter(entries, end)
  if (after !== undefined) {
    const sql =
      'UPDATE sessions SET last_seq = ?, revision = ?, updated_at = ?, title = coalesce(?, title) WHERE id = ?'
    database.prepared(sql).run(after.lastSeq, after.revision, after.updatedAt, columnText(after.title), id)
  }
  if (chain !== undefined) insertChainMarks(database, id, marksOf(entries, chain.values), chain.holder)
  if (key !== undefined) {
    const sql = 'INSERT INTO append_keys (session_id, key, from_seq, up_to) VALUES (?, ?, ?, ?)'
    database.prepared(sql).run(id, key, end.lastSeq + 1, end.lastSeq + entries.length)
  }
  return { ok: true, entries }
}

export function insertEntry(database: Database, id: SessionId, row: number, entry: Entry): void {
  const { body, facts } = storedEntry(entry)
  const sql = 'INSERT INTO entries (row, session_id, seq, id, type, asks, body, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  database.prepared(sql).run(row, id, entry.seq, entry.id, entry.type, opensTurn(entry) ? 1 : 0, body, facts)
}

/** The entries that an append with this key has added, if there was one. */
export function selectAppended(database: Database, id: SessionId, key: string): readonly Entry[] | undefined {
  const sql = 'SELECT from_seq, up_to FROM append_keys WHERE session_id = ? AND key = ?'
  const found = database.prepared(sql).get(id, key)
  if (found === undefined) return undefined
  return selectEntries(database, id, { from: Number(found.from_seq), upTo: Number(found.up_to) }).entries
}
