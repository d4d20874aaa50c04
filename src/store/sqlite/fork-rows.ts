import type { Seq } from '../../model/types.ts'
import type { LogSegment } from '../rows/log-segment.ts'
import type { SessionId } from '../store.ts'
import type { Database } from './database.ts'

/** The segments of a session's log: those that it shares with its ancestors, then its own. */
export function selectSegments(database: Database, id: SessionId): LogSegment[] {
  const parents = database.prepared('SELECT parent_id, parent_seq FROM sessions WHERE id = ?')
  const segments: LogSegment[] = []
  let at: SessionId | undefined = id
  let upTo = Number.MAX_SAFE_INTEGER
  while (at !== undefined) {
    const row = parents.get(at) as { parent_id: string | null; parent_seq: number | null } | undefined
    const shared = row?.parent_seq ?? 0
    segments.unshift({ id: at, from: shared + 1, upTo })
    upTo = Math.min(upTo, shared)
    at = row?.parent_id ?? undefined
  }
  return segments
}

/** The forks of a session, and their forks, that share its entry `seq`. */
export function forksOf(database: Database, id: SessionId, seq: Seq): SessionId[] {
  const sql = `WITH RECURSIVE forks (id) AS (SELECT id FROM sessions WHERE parent_id = ?
    UNION SELECT sessions.id FROM sessions JOIN forks ON sessions.parent_id = forks.id) SELECT id FROM forks`
  return database
    .prepared(sql)
    .all(id)
    .map((row) => String(row.id))
    .filter((fork) => selectSegments(database, fork).some((segment) => segment.id === id && segment.upTo >= seq))
}
