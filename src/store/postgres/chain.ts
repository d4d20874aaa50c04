import type { Seq } from '../../model/ids.ts'
import type { SessionId } from '../store.ts'
import { type Db, rowsOf } from './connection.ts'
import { storable } from './text.ts'

/** The part of a log that is stored with one session; bounds are inclusive. */
export type Segment = { readonly id: SessionId; readonly from: Seq; readonly upTo: Seq }

/** Where the log of a session is stored: what it shares of its ancestors, then its own. Nothing for an unknown session. */
export async function segmentsOf(db: Db, id: SessionId): Promise<Segment[]> {
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
