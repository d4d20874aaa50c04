import { PithError } from '../../model/problems/errors.ts'
import type { Entry, Seq } from '../../model/types.ts'
import type { LogSegment } from '../rows/log-segment.ts'
import { readStoredEntry, storedEntry } from '../rows/stored-entry.ts'
import type { BadRow, EntryPage, EntryQuery, LogChange, SessionId } from '../store.ts'
import { type Database, inSnapshot } from './database.ts'
import { selectSegments } from './fork-rows.ts'
import type { RowSource } from './row-feed.ts'
import { indexAgain } from './search-index.ts'

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
  database.prepared('UPDATE entries SET body = ?, facts = ? WHERE row = ?').run(body, facts, row)
  indexAgain(database, row, entry)
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
  const facts = query.light === true || query.only === 'messages' ? '' : ', facts'
  const sql = `SELECT seq, body${facts} FROM entries WHERE ${conditions.join(' AND ')} ORDER BY seq ${order} LIMIT ?`
  const statement = database.prepared(sql)
  // Arrays take half the time of objects.
  statement.setReturnArrays(true)
  return statement.all(...values, query.limit) as unknown as Row[]
}

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
