import type { DatabaseSync } from 'node:sqlite'
import type { Seq } from '../../model/ids.ts'
import type { SessionId } from '../store.ts'
import { segmentsOf } from './entry-rows.ts'
import { prepared } from './prepared.ts'

/** The forks of a session, and theirs, that share its entry `seq`. */
export function forksOf(database: DatabaseSync, id: SessionId, seq: Seq): SessionId[] {
  const sql = `WITH RECURSIVE forks (id) AS (SELECT id FROM sessions WHERE parent_id = ?
    UNION SELECT sessions.id FROM sessions JOIN forks ON sessions.parent_id = forks.id) SELECT id FROM forks`
  return prepared(database, sql)
    .all(id)
    .map((row) => String(row.id))
    .filter((fork) => segmentsOf(database, fork).some((segment) => segment.id === id && segment.upTo >= seq))
}
