import type { Entry } from '../../model/types.ts'
import { searchText } from '../../search/entry-doc.ts'
import { readStoredEntry, type StoredEntry } from '../rows/stored-entry.ts'
import { snippet } from '../search/search-text.ts'
import type { Hit, SearchQuery, SearchResult } from '../store.ts'
import type { Database } from './database.ts'
import { type SearchScope, turnOf } from './search-scope.ts'

type Row = StoredEntry & { session_id: string; seq: number; type: Entry['type'] }

/** Entries that contain a text, newest first. Trigrams need three characters; a shorter text is searched in the rows. */
export function searchOldIndex(database: Database, query: SearchQuery, scope: SearchScope): SearchResult {
  const text = query.text
    .replaceAll('\0', '')
    .trim()
    .replace(/^"(.+)"$/s, '$1')
  if (text === '') return { hits: [], total: 0, searched: 0, nearest: [] }
  const { limit, offset } = pageOf(query)
  const hits: Hit[] = []
  for (const row of rowsWith(database, text)) {
    const session = row.seq <= scope.upTo(row.session_id) ? scope.holderOf(row.session_id, row.seq) : undefined
    const entry = session === undefined ? undefined : readStoredEntry(row, row.seq)
    if (session === undefined || entry === undefined || typeof entry === 'string') continue
    const found = searchText(entry)
    if (!found.toLowerCase().includes(text.toLowerCase())) continue
    const { seq, type } = row
    const role = entry.type === 'message' ? entry.message.role : undefined
    const turn = turnOf(database, session, seq)
    hits.push({ session, seq, turn, type, role, at: entry.at, snippet: snippet(found, text), also: [], near: [] })
    if (hits.length === offset + limit) break
  }
  return { hits: hits.slice(offset), total: hits.length, searched: 0, nearest: [] }
}

function pageOf({ limit = 20, offset = 0 }: SearchQuery): { limit: number; offset: number } {
  return { limit: Math.max(1, Math.floor(limit)), offset: Math.max(0, Math.floor(offset)) }
}

function rowsWith(database: Database, text: string): Iterable<Row> {
  const from = 'SELECT session_id, seq, type, body, facts FROM entries'
  if ([...text].length < 3) return database.prepare(`${from} ORDER BY row DESC`).iterate() as Iterable<Row>
  const sql = `${from} WHERE row IN (SELECT rowid FROM search WHERE search MATCH ?)
    OR row > (SELECT indexed FROM search_progress) ORDER BY row DESC`
  return database.prepare(sql).iterate(`"${text.replaceAll('"', '""')}"`) as Iterable<Row>
}
