import type { Entry } from '../../model/types.ts'
import { searchText } from '../../search/entry-doc.ts'
import { snippet } from '../search/search-text.ts'
import type { Hit, SearchQuery, SearchResult, SessionId, StoreDeps } from '../store.ts'
import {
  containing,
  type Db,
  type EntryRow,
  entryFrom,
  folded,
  limitOf,
  rowsOf,
  searchable,
  storable,
} from './connection.ts'
import { HEIR, readSegments } from './read-entries.ts'

/** Whether texts are kept for the search by phrase: only in a database of an older version, until its index of words is built. */
export type PhraseTexts = { readonly hasTexts: boolean }

export type AppendDeps = StoreDeps & { readonly texts: PhraseTexts }

/** The text of an entry that the search by phrase looks in; none if it has ended. */
export function phraseText(entry: Entry, { hasTexts }: PhraseTexts): string {
  return hasTexts ? folded(searchText(entry)) : ''
}

/** Adds the texts of these entries for the search by phrase. */
export async function insertTexts(db: Db, texts: PhraseTexts, id: SessionId, entries: readonly Entry[]): Promise<void> {
  const found = entries.map((entry) => ({ seq: entry.seq, text: phraseText(entry, texts) })).filter(({ text }) => text)
  if (found.length === 0) return
  const sql = 'INSERT INTO search_texts (session_id, seq, folded) SELECT $1, * FROM unnest($2::bigint[], $3::text[])'
  await rowsOf(db, sql, [id, found.map(({ seq }) => seq), found.map(({ text }) => text)])
}

const HITS = 20

/**
 * The newest entries that contain the text. Case is ignored. It answers in a database of an older version, until its entries
 * are in the index of words.
 */
export async function searchPhrase(db: Db, query: SearchQuery): Promise<SearchResult> {
  const { offset = 0, limit = HITS } = query
  const hits = await hitsOf(db, { ...query, limit: offset + limit })
  return { hits: hits.slice(offset), total: hits.length, searched: 0, nearest: [] }
}

async function hitsOf(db: Db, query: SearchQuery): Promise<readonly Hit[]> {
  const text = searchable(query.text).trim()
  if (text === '') return []
  const wanted = { ...query, text }
  const found = query.session === undefined ? await inAll(db, wanted) : await inSession(db, wanted, query.session)
  const turns = await hitTurns(db, found)
  return found.map((row, i) => {
    const read = entryFrom(row)
    const entry = 'entry' in read ? read.entry : undefined
    return {
      session: row.session,
      seq: row.seq,
      turn: turns[i] ?? 0,
      type: row.type,
      role: entry?.type === 'message' ? entry.message.role : undefined,
      // An entry that cannot be read is shown with the text in the index.
      at: entry?.at ?? 0,
      also: [],
      near: [],
      snippet: snippet(entry === undefined ? row.folded : searchable(searchText(entry)), text),
    }
  })
}

type SearchRow = EntryRow & { readonly session: string; readonly type: Entry['type']; readonly folded: string }

/** How many of the newest entries are searched first, because sorting all hits of a common word takes long. */
const NEWEST = 500

/** Finds a shared entry once: in the session that it was appended to or, when that was deleted, in one of its forks. */
async function inAll(db: Db, query: SearchQuery): Promise<SearchRow[]> {
  const limit = limitOf(query.limit ?? HITS, 1)
  const values = [containing(query.text), ownerOf(query), limit, query.among?.map(storable) ?? null]
  const [border] = await rowsOf<{ at: number }>(db, 'SELECT at FROM entries ORDER BY at DESC OFFSET $1 LIMIT 1', [
    NEWEST,
  ])
  if (border === undefined) return rowsOf<SearchRow>(db, ALL, values)
  const newest = await rowsOf<SearchRow>(db, AMONG_NEWEST, [...values, border.at])
  return newest.length === limit ? newest : rowsOf<SearchRow>(db, ALL, values)
}

const ALL = hitsSql('search_texts t JOIN entries e ON e.session_id = t.session_id AND e.seq = t.seq')

/** Sorted first, so that the search ends with the last hit that is wanted. */
const AMONG_NEWEST = hitsSql(`
  (SELECT session_id, seq, at FROM entries WHERE at > $5 ORDER BY at DESC OFFSET 0) e
  JOIN search_texts t ON t.session_id = e.session_id AND t.seq = e.seq`)

/** Loads bodies only for the hits that are returned. */
function hitsSql(places: string): string {
  return `
  WITH RECURSIVE ${HEIR}, hit AS (
    SELECT place.id AS session, t.session_id, t.seq, e.at
    FROM ${places}
    JOIN sessions s ON s.id = t.session_id
    CROSS JOIN LATERAL (
      SELECT s.id WHERE NOT s.hidden AND ($2::text IS NULL OR s.owner = $2)
      UNION ALL
      (SELECT heir.id FROM heir
        WHERE s.hidden AND heir.stored = s.id AND NOT heir.hidden AND heir.shared >= e.seq
          AND ($2::text IS NULL OR heir.owner = $2)
        ORDER BY heir.id LIMIT 1)
    ) AS place
    WHERE t.folded LIKE $1 AND ($4::text[] IS NULL OR place.id = ANY ($4))
    ORDER BY e.at DESC, place.id, e.seq DESC
    LIMIT $3
  )
  SELECT hit.session, e.seq, e.id, e.type, e.body, e.facts, t.folded
  FROM hit
  JOIN entries e ON e.session_id = hit.session_id AND e.seq = hit.seq
  JOIN search_texts t ON t.session_id = hit.session_id AND t.seq = hit.seq
  ORDER BY hit.at DESC, hit.session, hit.seq DESC`
}

async function inSession(db: Db, query: SearchQuery, id: SessionId): Promise<SearchRow[]> {
  const segments = await readSegments(db, id)
  return rowsOf<SearchRow>(db, ONE, [
    containing(query.text),
    ownerOf(query),
    limitOf(query.limit ?? HITS, 1),
    storable(id),
    segments.map((segment) => segment.id),
    segments.map((segment) => segment.from),
    segments.map((segment) => segment.upTo),
  ])
}

const ONE = `
  SELECT $4::text AS session, e.seq, e.id, e.type, e.body, e.facts, t.folded
  FROM unnest($5::text[], $6::bigint[], $7::bigint[]) AS part (id, low, high)
  JOIN search_texts t ON t.session_id = part.id AND t.seq BETWEEN low AND high
  JOIN entries e ON e.session_id = t.session_id AND e.seq = t.seq
  WHERE t.folded LIKE $1
    AND ($2::text IS NULL OR EXISTS (SELECT FROM sessions s WHERE s.id = $4 AND s.owner = $2))
  ORDER BY e.seq DESC
  LIMIT $3`

function ownerOf({ owner }: SearchQuery): string | null {
  return owner === undefined ? null : storable(owner)
}

/** The turn of each hit: the last message of the user up to it, in its session or in the part that it shares with its ancestors. */
export async function hitTurns(db: Db, found: readonly Pick<Hit, 'session' | 'seq'>[]): Promise<(number | null)[]> {
  if (found.length === 0) return []
  const rows = await rowsOf<{ turn: number | null }>(db, TURNS, [
    found.map(({ session }) => storable(session)),
    found.map(({ seq }) => seq),
  ])
  return rows.map(({ turn }) => turn)
}

const TURNS = `
  SELECT turns.turn
  FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS hit (session, seq, place)
  CROSS JOIN LATERAL (
    WITH RECURSIVE part (id, parent_id, parent_seq, upto) AS (
      SELECT id, parent_id, parent_seq, hit.seq FROM sessions WHERE id = hit.session AND NOT hidden
      UNION ALL
      SELECT p.id, p.parent_id, p.parent_seq, least(part.parent_seq, part.upto)
      FROM part JOIN sessions p ON p.id = part.parent_id
    )
    SELECT max(said.last) AS turn
    FROM part CROSS JOIN LATERAL (
      SELECT max(seq) AS last FROM entries
      WHERE session_id = part.id AND seq > coalesce(part.parent_seq, 0) AND seq <= part.upto AND opens_turn
    ) AS said
  ) AS turns
  ORDER BY hit.place`
