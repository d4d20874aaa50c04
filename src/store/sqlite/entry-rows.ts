import { PithError } from '../../model/problems/errors.ts'
import type { Entry, EntryDraft, Seq } from '../../model/types.ts'
import { marksOf, newEntries, opensTurn, sessionAfter } from '../rows/new-entries.ts'
import { readStoredEntry, storedEntry } from '../rows/stored-entry.ts'
import type { LogSegment } from '../rows/table-rows.ts'
import {
  type AppendOptions,
  type AppendResult,
  type AppendSizes,
  type BadRow,
  type EntryPage,
  type EntryQuery,
  type LogChange,
  MOST_SIZES,
  type SessionId,
  type SizesBefore,
  type StoreDeps,
  type StoredSize,
} from '../store.ts'
import { type Database, inSnapshot } from './database.ts'
import type { RowSource } from './row-feed.ts'
import { indexAgain, indexNewRows } from './search-index.ts'
import { columnText, insertChainMarks, logEnd } from './session-rows.ts'

type Row = readonly [seq: number, body: string, facts?: string | null]

/** The entries that a query names, over all segments of the log, in the order of their seq. */
export function selectEntries(database: Database, id: SessionId, query: EntryQuery): EntryPage {
  const page: Page = { entries: [], bad: [] }
  inSnapshot(database, () => {
    const segments = selectSegments(database, id)
    if (query.order === 'newest') readNewest(database, segments, query, page)
    else readOldest(database, segments, query, page)
  })
  return page
}

/** The rows of appends, for listeners. */
export const CHANGE_ROWS: RowSource<LogChange> = {
  newest: 'SELECT max(row) AS row FROM entries',
  after: 'SELECT row, session_id, seq FROM entries WHERE row > ? ORDER BY row',
  valueOf: ({ session_id, seq }) => ({ session: String(session_id), seq: Number(seq) }),
}

/** Overwrites an entry in place. Only a redaction does this. */
export function updateEntry(database: Database, id: SessionId, entry: Entry): void {
  const found = database.prepared('SELECT row FROM entries WHERE session_id = ? AND seq = ?').get(id, entry.seq)
  if (found === undefined) throw new PithError('unknown-entry', `there is no entry #${entry.seq}`)
  const row = Number(found.row)
  const { body, facts } = storedEntry(entry)
  database.prepared('UPDATE entries SET body = ?, facts = ?, size = NULL WHERE row = ?').run(body, facts, row)
  indexAgain(database, id, row, entry)
}

type Page = { readonly entries: Entry[]; readonly bad: BadRow[] }

/** How many rows are read before they are parsed. The garbage collector can free a few texts at once, but has to move many. */
const AT_ONCE = 256

function readOldest(database: Database, segments: readonly LogSegment[], query: EntryQuery, page: Page): void {
  let left = limitOf(query)
  // A list of seqs is short. Looking it up again for every piece would cost more than it saves.
  const most = query.seqs === undefined ? AT_ONCE : Number.MAX_SAFE_INTEGER
  for (const segment of segments) {
    let from = query.from ?? 0
    for (let more = true; more; ) {
      const limit = Math.min(most, left)
      const rows = segmentRows(database, segment, { ...query, from, limit })
      parseRows(database, segment, rows, query, page)
      left -= rows.length
      from = (rows.at(-1)?.[0] ?? 0) + 1
      more = rows.length === limit && left > 0
    }
  }
}

/** Reads all rows at once: a query from the end returns few. */
function readNewest(database: Database, segments: readonly LogSegment[], query: EntryQuery, page: Page): void {
  let left = limitOf(query)
  const found: { segment: LogSegment; rows: Row[] }[] = []
  for (const segment of segments.toReversed()) {
    const rows = segmentRows(database, segment, { ...query, limit: left })
    left -= rows.length
    found.unshift({ segment, rows: rows.reverse() })
  }
  for (const { segment, rows } of found) parseRows(database, segment, rows, query, page)
}

function limitOf({ limit }: EntryQuery): number {
  return limit === undefined ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.floor(limit))
}

/** The rows of a segment, in the order of the query. */
function segmentRows(database: Database, segment: LogSegment, query: EntryQuery & { limit: number }): Row[] {
  const conditions = ['session_id = ?', 'seq >= ?', 'seq <= ?']
  const from = Math.max(segment.from, query.from ?? 0)
  const values: (string | number)[] = [segment.id, from, Math.min(segment.upTo, query.upTo ?? segment.upTo)]
  if (query.only !== undefined) conditions.push(query.only === 'messages' ? "type = 'message'" : "type <> 'message'")
  if (query.seqs !== undefined) {
    conditions.push('seq IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(query.seqs))
  }
  const order = query.order === 'newest' ? 'DESC' : 'ASC'
  // Each column of each row becomes an object: leave out columns that are empty or not wanted.
  const facts =
    query.raw === true ? ', facts' : query.light === true || query.only === 'messages' ? '' : FACTS_OF_CHANGES
  const sql = `SELECT seq, body${facts} FROM entries WHERE ${conditions.join(' AND ')} ORDER BY seq ${order} LIMIT ?`
  const statement = database.prepared(sql)
  // Arrays take half the time of objects.
  statement.setReturnArrays(true)
  return statement.all(...values, query.limit) as unknown as Row[]
}

const FACTS_OF_CHANGES = ", CASE type WHEN 'message' THEN NULL ELSE facts END"

function parseRows(
  database: Database,
  segment: LogSegment,
  rows: readonly Row[],
  { light }: EntryQuery,
  { entries, bad }: Page,
): void {
  for (const [seq, body, facts = null] of rows) {
    const read = readStoredEntry({ body, facts }, seq, light)
    if (typeof read === 'string') bad.push({ seq, id: idAt(database, segment.id, seq), reason: read })
    else entries.push(read)
  }
}

function idAt(database: Database, id: SessionId, seq: Seq): string {
  return String(database.prepared('SELECT id FROM entries WHERE session_id = ? AND seq = ?').get(id, seq)?.id)
}

/** The segments of a session's log: those that it shares with its ancestors, then its own. */
export function selectSegments(database: Database, id: SessionId): LogSegment[] {
  const parents = database.prepared('SELECT parent_id, parent_seq FROM sessions WHERE id = ?')
  const segments: LogSegment[] = []
  let at: SessionId | undefined = id
  let upTo = Number.MAX_SAFE_INTEGER
  while (at !== undefined) {
    const row = parents.get(at) as { parent_id: string | null; parent_seq: number | null } | undefined
    const shared = row?.parent_seq ?? 0
    segments.unshift({ id: at, from: shared + 1, upTo })
    upTo = Math.min(upTo, shared)
    at = row?.parent_id ?? undefined
  }
  return segments
}

/** The forks of a session, and their forks, that share its entry `seq`. */
export function forksOf(database: Database, id: SessionId, seq: Seq): SessionId[] {
  const sql = `WITH RECURSIVE forks (id) AS (SELECT id FROM sessions WHERE parent_id = ?
    UNION SELECT sessions.id FROM sessions JOIN forks ON sessions.parent_id = forks.id) SELECT id FROM forks`
  return database
    .prepared(sql)
    .all(id)
    .map((row) => String(row.id))
    .filter((fork) => selectSegments(database, fork).some((segment) => segment.id === id && segment.upTo >= seq))
}

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
  const { sizes } = options
  const before = sizes && sizesBefore(database, id, end.lastSeq, sizes)
  for (const [i, entry] of entries.entries()) insertEntry(database, id, end.row + 1 + i, entry, sizes?.drafts[i])
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
  return { ok: true, entries, ...(before === undefined ? {} : { before }) }
}

export function insertEntry(database: Database, id: SessionId, row: number, entry: Entry, size?: string): void {
  const { body, facts } = storedEntry(entry)
  const sql =
    'INSERT INTO entries (row, session_id, seq, id, type, asks, body, facts, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
  const asks = opensTurn(entry) ? 1 : 0
  database.prepared(sql).run(row, id, entry.seq, entry.id, entry.type, asks, body, facts, size ?? null)
}

/** The sizes of the entries since those that were counted. Keeps the count that the caller has. */
function sizesBefore(
  database: Database,
  id: SessionId,
  lastSeq: Seq,
  { since, keep }: AppendSizes,
): SizesBefore | undefined {
  if (since !== undefined && keep !== undefined)
    database.prepared('INSERT OR REPLACE INTO sizes (session_id, seq, body) VALUES (?, ?, ?)').run(id, since, keep)
  const sql = 'SELECT seq AS upTo, body FROM sizes WHERE session_id = ?'
  const kept = since === undefined ? (database.prepared(sql).get(id) as StoredSize | undefined) : undefined
  const from = since ?? kept?.upTo
  if (from === undefined || lastSeq - from > MOST_SIZES) return undefined
  const rows = database
    .prepared('SELECT size FROM entries WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq')
    .all(id, from, lastSeq) as { size: string | null }[]
  return { ...(kept === undefined ? {} : { kept }), sizes: rows.map(({ size }) => size) }
}

/** The entries that an append with this key has added, if there was one. */
export function selectAppended(database: Database, id: SessionId, key: string): readonly Entry[] | undefined {
  const sql = 'SELECT from_seq, up_to FROM append_keys WHERE session_id = ? AND key = ?'
  const found = database.prepared(sql).get(id, key)
  if (found === undefined) return undefined
  return selectEntries(database, id, { from: Number(found.from_seq), upTo: Number(found.up_to) }).entries
}
