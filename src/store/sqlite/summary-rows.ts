import type { DatabaseSync } from 'node:sqlite'
import type { Seq } from '../../model/ids.ts'
import type { SessionId, StoredSummary } from '../store.ts'
import { prepared } from './prepared.ts'
import { requireSession } from './session-rows.ts'

/** What is kept of a session's summaries. */
export function readSummaries(database: DatabaseSync, id: SessionId): StoredSummary[] {
  const sql = 'SELECT seq, key, body, facts FROM summaries WHERE session_id = ?'
  return prepared(database, sql).all(id) as StoredSummary[]
}

/** Keeps them, if the session still has the view that they were made for. */
export function writeSummaries(
  database: DatabaseSync,
  id: SessionId,
  revision: Seq,
  summaries: readonly StoredSummary[],
): void {
  if (requireSession(database, id).revision !== revision) return
  forgetSummaries(database, id)
  const sql = 'INSERT INTO summaries (session_id, seq, key, body, facts) VALUES (?, ?, ?, ?, ?)'
  for (const { seq, key, body, facts } of summaries) {
    prepared(database, sql).run(id, seq, key, body, facts)
  }
}

export function forgetSummaries(database: DatabaseSync, id: SessionId): void {
  prepared(database, 'DELETE FROM summaries WHERE session_id = ?').run(id)
}
