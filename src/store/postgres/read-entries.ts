import type { LogSegment } from '../rows/table-rows.ts'
import { type EntryPage, type EntryQuery, type SessionId, unknownSession } from '../store.ts'
import { type Db, type EntryRow, limitOf, pageOf, rowsOf, storable } from './connection.ts'

/** The entries of a session, including those that it shares with its ancestors. */
export async function readEntries(db: Db, id: SessionId, query: EntryQuery = {}): Promise<EntryPage> {
  const segments = await readSegments(db, id)
  if (segments.length === 0) throw unknownSession(id)
  return pageOf(await readRows(db, segments, query), query.light === true)
}

async function readRows(db: Db, segments: readonly LogSegment[], query: EntryQuery): Promise<EntryRow[]> {
  const wanted = segments.map((segment) => within(segment, query)).filter(({ from, upTo }) => from <= upTo)
  const limit = query.limit === undefined ? null : limitOf(query.limit, 0)
  if (wanted.length === 0 || limit === 0) return []
  const seqs = query.seqs?.filter(Number.isSafeInteger) ?? null
  const { sql, values } = statement(wanted, query)
  const rows = await rowsOf<EntryRow>(db, sql, [limit, seqs, ...values])
  return rows.toSorted((a, b) => a.seq - b.seq)
}

function within({ id, from, upTo }: LogSegment, query: EntryQuery): LogSegment {
  return {
    id,
    from: Math.max(from, Math.ceil(query.from ?? from)),
    upTo: Math.min(upTo, Math.floor(query.upTo ?? upTo)),
  }
}

/** One statement, so that all segments are read as of one moment. Each has the limit, so that none is read whole. */
function statement(segments: readonly LogSegment[], query: EntryQuery): { sql: string; values: unknown[] } {
  const tail = `ORDER BY seq ${query.order === 'newest' ? 'DESC' : 'ASC'} LIMIT $1`
  const ofChanges =
    query.light === true ? 'NULL AS facts' : "CASE type WHEN 'message' THEN NULL ELSE facts END AS facts"
  const facts = query.raw === true ? 'facts' : ofChanges
  const parts = segments.map((_, i) => {
    const at = 3 + 3 * i
    return `(SELECT seq, id, body, ${facts} FROM entries
      WHERE session_id = $${at} AND seq BETWEEN $${at + 1} AND $${at + 2}
        AND ($2::bigint[] IS NULL OR seq = ANY ($2)) ${onlyOf(query)} ${tail})`
  })
  return {
    sql: `SELECT seq, id, body, facts FROM (${parts.join(' UNION ALL ')}) AS log ${tail}`,
    values: segments.flatMap(({ id, from, upTo }) => [id, from, upTo]),
  }
}

function onlyOf({ only }: EntryQuery): string {
  if (only === undefined) return ''
  return only === 'messages' ? `AND type = 'message'` : `AND type <> 'message'`
}

/** The segments of a session's log: those that it shares with its ancestors, then its own. None for an unknown session. */
export async function readSegments(db: Db, id: SessionId): Promise<LogSegment[]> {
  const segments = await rowsOf<{ id: string; from: number; upto: number }>(db, CHAIN, [
    storable(id),
    Number.MAX_SAFE_INTEGER,
  ])
  return segments
    .map(({ id, from, upto }) => ({ id, from, upTo: upto }))
    .filter(({ from, upTo }) => from <= upTo)
    .toReversed()
}

const CHAIN = `
  WITH RECURSIVE chain (id, parent_id, parent_seq, upto, depth) AS (
    SELECT id, parent_id, parent_seq, $2::bigint, 0 FROM sessions WHERE id = $1 AND NOT hidden
    UNION ALL
    SELECT p.id, p.parent_id, p.parent_seq, least(chain.parent_seq, chain.upto), chain.depth + 1
    FROM chain JOIN sessions p ON p.id = chain.parent_id
  )
  SELECT id, coalesce(parent_seq, 0) + 1 AS "from", upto FROM chain ORDER BY depth`

/** Rows of a deleted session with the forks that share its entries, and how far. */
export const HEIR = `
  heir (stored, id, owner, hidden, shared) AS (
    SELECT h.id, s.id, s.owner, s.hidden, s.parent_seq FROM sessions h JOIN sessions s ON s.parent_id = h.id
    WHERE h.hidden
    UNION ALL
    SELECT heir.stored, s.id, s.owner, s.hidden, least(heir.shared, s.parent_seq)
    FROM heir JOIN sessions s ON s.parent_id = heir.id
  )`
