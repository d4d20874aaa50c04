import type { LogSegment } from '../rows/log-segment.ts'
import { type EntryPage, type EntryQuery, type SessionId, unknownSession } from '../store.ts'
import { type Db, type EntryRow, limitOf, pageOf, rowsOf } from './connection.ts'
import { readSegments } from './log-segments.ts'

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
  const facts = query.light === true ? 'NULL AS facts' : 'facts'
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
