import type { LogSegment } from '../rows/log-segment.ts'
import type { SessionId } from '../store.ts'
import { type Db, rowsOf, storable } from './connection.ts'

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
