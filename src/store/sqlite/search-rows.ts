import type { Entry, Seq } from '../../model/types.ts'
import { readStoredEntry, type StoredEntry } from '../rows/stored-entry.ts'
import { searchText, snippet } from '../search/search-text.ts'
import type { Hit, SearchQuery, SessionId } from '../store.ts'
import type { Database } from './database.ts'
import { forksOf, selectSegments } from './entry-rows.ts'

type Row = StoredEntry & { session_id: string; seq: number; type: Entry['type']; hidden: number }

/** Entries that contain a text, newest first. Trigrams need three characters; a shorter text is searched in the rows. */
export function searchRows(database: Database, query: SearchQuery): Hit[] {
  const text = query.text.replaceAll('\0', '').trim()
  if (text === '') return []
  const limit = Math.max(1, Math.floor(query.limit ?? 20))
  const { sql, values } = searchSql(database, query, text)
  const wanted = query.among === undefined ? undefined : new Set(query.among)
  const hits: Hit[] = []
  for (const row of database.prepare(sql).iterate(...values) as Iterable<Row>) {
    const entry = readStoredEntry(row, row.seq)
    if (typeof entry === 'string') continue
    const found = searchText(entry)
    if (!found.toLowerCase().includes(text.toLowerCase())) continue
    const session = query.session ?? holderOf(database, row, query.owner)
    if (session === undefined || wanted?.has(session) === false) continue
    const { seq, type } = row
    const role = entry.type === 'message' ? entry.message.role : undefined
    hits.push({ session, seq, turn: turnOf(database, session, seq), type, role, snippet: snippet(found, text) })
    if (hits.length === limit) break
  }
  return hits
}

function searchSql(database: Database, query: SearchQuery, text: string): { sql: string; values: (string | number)[] } {
  const conditions: string[] = []
  const values: (string | number)[] = []
  if ([...text].length >= 3) {
    conditions.push(
      '(entries.row IN (SELECT rowid FROM search WHERE search MATCH ?) OR entries.row > (SELECT indexed FROM search_progress))',
    )
    values.push(`"${text.replaceAll('"', '""')}"`)
  }
  if (query.session !== undefined) {
    const segments = selectSegments(database, query.session)
    conditions.push(`(${segments.map(() => '(entries.session_id = ? AND entries.seq <= ?)').join(' OR ')})`)
    for (const { id, upTo } of segments) values.push(id, upTo)
  }
  if (query.owner !== undefined) {
    conditions.push('(sessions.owner = ? OR sessions.hidden = 1)')
    values.push(query.owner)
  }
  if (query.among !== undefined) {
    conditions.push('(entries.session_id IN (SELECT value FROM json_each(?)) OR sessions.hidden = 1)')
    values.push(JSON.stringify(query.among))
  }
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const sql = `SELECT entries.session_id, entries.seq, entries.type, entries.body, entries.facts, sessions.hidden
    FROM entries JOIN sessions ON sessions.id = entries.session_id${where} ORDER BY entries.row DESC`
  return { sql, values }
}

/** The session that an entry is found in. When that was deleted, a fork that still shares the entry. */
function holderOf(database: Database, row: Row, owner: string | undefined): SessionId | undefined {
  if (row.hidden === 0) return row.session_id
  const visible = 'SELECT owner FROM sessions WHERE id = ? AND hidden = 0'
  return forksOf(database, row.session_id, row.seq).find((fork) => {
    const found = database.prepared(visible).get(fork)
    return found !== undefined && (owner === undefined || found.owner === owner)
  })
}

/** The seq of the user message that began an entry's turn. A fork may share it with its parent. */
function turnOf(database: Database, id: SessionId, seq: Seq): Seq {
  const sql = 'SELECT max(seq) AS seq FROM entries WHERE session_id = ? AND asks = 1 AND seq <= ?'
  for (const segment of selectSegments(database, id).toReversed()) {
    const found = database.prepared(sql).get(segment.id, Math.min(seq, segment.upTo))?.seq
    if (found !== null && found !== undefined) return Number(found)
  }
  return 0
}
