import type { Entry } from '../../model/entry.ts'
import type { LogSegment } from '../log-segment.ts'
import { searchText } from '../search-text.ts'
import { snippet } from '../snippet.ts'
import type { Hit, SearchQuery, SessionId } from '../store.ts'
import { type Db, limitOf, rowsOf } from './connection.ts'
import { readSegments } from './log-segments.ts'
import { type EntryRow, entryFrom } from './rows.ts'
import { containing, searchable, storable } from './text.ts'

const HITS = 20

/** The newest entries that contain the text, in whatever case. */
export async function searchEntries(db: Db, query: SearchQuery): Promise<readonly Hit[]> {
  const text = searchable(query.text).trim()
  if (text === '') return []
  const wanted = { ...query, text }
  const found = query.session === undefined ? await inAll(db, wanted) : await inSession(db, wanted, query.session)
  const segments = new Map<SessionId, readonly LogSegment[]>()
  const hits: Hit[] = []
  for (const row of found) {
    const chain = segments.get(row.session) ?? (await readSegments(db, row.session))
    segments.set(row.session, chain)
    const read = entryFrom(row)
    const entry = 'entry' in read ? read.entry : undefined
    hits.push({
      session: row.session,
      seq: row.seq,
      turn: await turnOf(db, chain, row.seq),
      type: row.type,
      role: entry?.type === 'message' ? entry.message.role : undefined,
      // Of an entry that cannot be read, the text in the index.
      snippet: snippet(entry === undefined ? row.folded : searchable(searchText(entry)), text),
    })
  }
  return hits
}

type Found = EntryRow & { readonly session: string; readonly type: Entry['type']; readonly folded: string }

/** Finds a shared entry once: in the session that it was said in or, when that was deleted, in one of its forks. */
function inAll(db: Db, query: SearchQuery): Promise<Found[]> {
  return rowsOf<Found>(db, ALL, [
    containing(query.text),
    ownerOf(query),
    limitOf(query.limit ?? HITS, 1),
    query.among?.map(storable) ?? null,
  ])
}

const ALL = `
  WITH RECURSIVE heir (stored, id, owner, hidden, shared) AS (
    SELECT h.id, s.id, s.owner, s.hidden, s.parent_seq FROM sessions h JOIN sessions s ON s.parent_id = h.id
    WHERE h.hidden
    UNION ALL
    SELECT heir.stored, s.id, s.owner, s.hidden, least(heir.shared, s.parent_seq)
    FROM heir JOIN sessions s ON s.parent_id = heir.id
  )
  SELECT place.id AS session, e.seq, e.id, e.type, e.body, e.facts, t.folded
  FROM search_texts t
  JOIN entries e ON e.session_id = t.session_id AND e.seq = t.seq
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
  LIMIT $3`

async function inSession(db: Db, query: SearchQuery, id: SessionId): Promise<Found[]> {
  const segments = await readSegments(db, id)
  return rowsOf<Found>(db, ONE, [
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

async function turnOf(db: Db, segments: readonly LogSegment[], seq: number): Promise<number> {
  const [row] = await rowsOf<{ turn: number | null }>(db, TURN, [
    segments.map((segment) => segment.id),
    segments.map((segment) => segment.from),
    segments.map((segment) => Math.min(segment.upTo, seq)),
  ])
  return row?.turn ?? 0
}

const TURN = `
  SELECT max(last) AS turn
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS part (id, low, high)
  CROSS JOIN LATERAL (
    SELECT max(seq) AS last FROM entries
    WHERE session_id = part.id AND seq BETWEEN low AND high AND opens_turn
  ) AS turns`
