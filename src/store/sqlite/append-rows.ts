import type { DatabaseSync } from 'node:sqlite'
import { changesView } from '../../engine/context/view/changes-view.ts'
import { type Entry, type EntryDraft, parseEntry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { marksOf } from '../rows/chain-marks.ts'
import { storedEntry } from '../rows/stored-entry.ts'
import type { AppendOptions, AppendResult, SessionId, StoreDeps } from '../store.ts'
import type { PauseLeft } from '../when-resumed.ts'
import { insertChainMarks } from './chain-rows.ts'
import { selectEntries } from './entry-rows.ts'
import { pauseLeft } from './pause-rows.ts'
import { prepared } from './prepared.ts'
import { indexNewRows } from './search-index.ts'
import { columnText, logEnd } from './session-rows.ts'

/** Appends inside the caller's transaction. Its write lock gives the order. */
export function appendRows(
  database: DatabaseSync,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
  deps: StoreDeps,
): AppendResult {
  const end = logEnd(database, id)
  const earlier = options.key === undefined ? undefined : selectAppended(database, id, options.key)
  if (earlier !== undefined) return { ok: true, entries: earlier }
  if (options.revision !== undefined && options.revision !== end.revision) {
    return { ok: false, reason: 'superseded', revision: end.revision }
  }
  const { guard } = options
  const why = guard?.check(selectEntries(database, id, { from: guard.since + 1 }).entries)
  if (why !== undefined) return { ok: false, reason: 'refused', why }
  const at = deps.clock()
  const entries = drafts.map((draft, i) =>
    parseEntry({ ...draft, id: deps.ids(), seq: end.lastSeq + 1 + i, at: options.times?.[i] ?? at }),
  )
  for (const [i, entry] of entries.entries()) insertEntry(database, id, end.row + 1 + i, entry)
  indexNewRows(database, end.row, end.row + entries.length)
  afterAppend(database, id, end.revision, entries)
  if (options.chain !== undefined)
    insertChainMarks(database, id, marksOf(entries, options.chain.values), options.chain.holder)
  if (options.key !== undefined) {
    prepared(database, 'INSERT INTO append_keys (session_id, key, from_seq, up_to) VALUES (?, ?, ?, ?)').run(
      id,
      options.key,
      end.lastSeq + 1,
      end.lastSeq + entries.length,
    )
  }
  return { ok: true, entries }
}

/** The same, unless the session is paused for all but another writer. */
export function appendRowsUnlessPaused(
  database: DatabaseSync,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: AppendOptions,
  deps: StoreDeps,
): AppendResult | PauseLeft {
  return pauseLeft(database, id, options.pause, deps.clock()) ?? appendRows(database, id, drafts, options, deps)
}

export function insertEntry(database: DatabaseSync, id: SessionId, row: number, entry: Entry): void {
  const asks = entry.type === 'message' && entry.message.role === 'user' ? 1 : 0
  const { body, facts } = storedEntry(entry)
  const sql = 'INSERT INTO entries (row, session_id, seq, id, type, asks, body, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  prepared(database, sql).run(row, id, entry.seq, entry.id, entry.type, asks, body, facts)
}

/** The entries that an append with this key has added, if there was one. */
export function selectAppended(database: DatabaseSync, id: SessionId, key: string): readonly Entry[] | undefined {
  const found = prepared(database, 'SELECT from_seq, up_to FROM append_keys WHERE session_id = ? AND key = ?').get(
    id,
    key,
  )
  if (found === undefined) return undefined
  return selectEntries(database, id, { from: Number(found.from_seq), upTo: Number(found.up_to) }).entries
}

function afterAppend(database: DatabaseSync, id: SessionId, before: Seq, entries: readonly Entry[]): void {
  const last = entries.at(-1)
  if (last === undefined) return
  const revision = entries.findLast(changesView)?.seq ?? before
  const sql = 'UPDATE sessions SET last_seq = ?, revision = ?, updated_at = ?, title = coalesce(?, title) WHERE id = ?'
  prepared(database, sql).run(last.seq, revision, last.at, columnText(titleIn(entries)), id)
}

function titleIn(entries: readonly Entry[]): string | undefined {
  const named = entries.findLast((entry) => entry.type === 'settings' && entry.title !== undefined)
  return named?.type === 'settings' ? named.title : undefined
}
