import type { DatabaseSync } from 'node:sqlite'
import { type Entry, type EntryDraft, parseEntry } from '../../model/entry.ts'
import { PithError } from '../../model/errors.ts'
import type { Seq } from '../../model/ids.ts'
import type { BadRow, Change, EntryPage, EntryQuery, SessionId } from '../store.ts'
import { readStoredEntry, storedEntry } from '../stored-entry.ts'
import { snapshot } from './database.ts'
import { prepared } from './prepared.ts'
import type { RowSource } from './row-feed.ts'
import { indexAgain } from './search-index.ts'

/** A part of a session's log: the entries of one session's rows, up to where a fork left it. */
export type Segment = { readonly id: SessionId; readonly upTo: Seq }

type Row = readonly [seq: number, body: string, facts?: string | null]

/** Where the entries of a session are: its own, and those of the sessions it was forked from. */
export function segmentsOf(database: DatabaseSync, id: SessionId): Segment[] {
  const parents = prepared(database, 'SELECT parent_id, parent_seq FROM sessions WHERE id = ?')
  const segments: Segment[] = []
  let at: SessionId | undefined = id
  let upTo = Number.MAX_SAFE_INTEGER
  while (at !== undefined) {
    segments.unshift({ id: at, upTo })
    const row = parents.get(at) as { parent_id: string | null; parent_seq: number | null } | undefined
    upTo = Math.min(upTo, row?.parent_seq ?? 0)
    at = row?.parent_id ?? undefined
  }
  return segments
}

/** Reads the entries that a query names, over all segments, in the order of their seq. */
export function readEntries(database: DatabaseSync, id: SessionId, query: EntryQuery): EntryPage {
  const page: Page = { entries: [], bad: [] }
  snapshot(database, () => {
    const segments = segmentsOf(database, id)
    if (query.order === 'newest') readNewest(database, segments, query, page)
    else readOldest(database, segments, query, page)
  })
  return page
}

/** The appends, for those who follow them. */
export const CHANGE_ROWS: RowSource<Change> = {
  newest: 'SELECT max(row) AS row FROM entries',
  after: 'SELECT row, session_id, seq FROM entries WHERE row > ? ORDER BY row',
  valueOf: ({ session_id, seq }) => ({ session: String(session_id), seq: Number(seq) }),
}

/** Writes an entry. */
export function insertEntry(database: DatabaseSync, id: SessionId, row: number, entry: Entry): void {
  const asks = entry.type === 'message' && entry.message.role === 'user' ? 1 : 0
  const { body, facts } = storedEntry(entry)
  const sql = 'INSERT INTO entries (row, session_id, seq, id, type, asks, body, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  prepared(database, sql).run(row, id, entry.seq, entry.id, entry.type, asks, body, facts)
}

/** Overwrites an entry in place: only a redaction does this. */
export function overwriteEntry(database: DatabaseSync, id: SessionId, entry: Entry): void {
  const found = prepared(database, 'SELECT row FROM entries WHERE session_id = ? AND seq = ?').get(id, entry.seq)
  if (found === undefined) throw new PithError('unknown-entry', `there is no entry #${entry.seq}`)
  const row = Number(found.row)
  const { body, facts } = storedEntry(entry)
  prepared(database, 'UPDATE entries SET body = ?, facts = ? WHERE row = ?').run(body, facts, row)
  indexAgain(database, row, entry)
}

/** The draft as an entry of the log. */
export function entryOf(draft: EntryDraft, seq: Seq, id: string, at: number): Entry {
  return parseEntry({ ...draft, id, seq, at })
}

type Page = { readonly entries: Entry[]; readonly bad: BadRow[] }

/** Rows that are read before they are parsed: a few texts are gone at once, many would be kept and moved about. */
const AT_ONCE = 256

function readOldest(database: DatabaseSync, segments: readonly Segment[], query: EntryQuery, page: Page): void {
  let left = limitOf(query)
  // Entries by their names are few, and to look them up again for every piece would cost more than it saves.
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

/** All of it at once: what is asked for from the end is little. */
function readNewest(database: DatabaseSync, segments: readonly Segment[], query: EntryQuery, page: Page): void {
  let left = limitOf(query)
  const found: { segment: Segment; rows: Row[] }[] = []
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
function segmentRows(database: DatabaseSync, segment: Segment, query: EntryQuery & { limit: number }): Row[] {
  const conditions = ['session_id = ?', 'seq >= ?', 'seq <= ?']
  const values: (string | number)[] = [segment.id, query.from ?? 0, Math.min(segment.upTo, query.upTo ?? segment.upTo)]
  if (query.only !== undefined) conditions.push(query.only === 'messages' ? "type = 'message'" : "type <> 'message'")
  if (query.seqs !== undefined) {
    conditions.push('seq IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(query.seqs))
  }
  const order = query.order === 'newest' ? 'DESC' : 'ASC'
  // Each column of each row is an object: what is always empty, or nobody wants, is not read.
  const facts = query.light === true || query.only === 'messages' ? '' : ', facts'
  const sql = `SELECT seq, body${facts} FROM entries WHERE ${conditions.join(' AND ')} ORDER BY seq ${order} LIMIT ?`
  const statement = prepared(database, sql)
  // Half the time of objects, of which a long view has many.
  statement.setReturnArrays(true)
  return statement.all(...values, query.limit) as unknown as Row[]
}

function parseRows(
  database: DatabaseSync,
  segment: Segment,
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

function idAt(database: DatabaseSync, id: SessionId, seq: Seq): string {
  return String(prepared(database, 'SELECT id FROM entries WHERE session_id = ? AND seq = ?').get(id, seq)?.id)
}
