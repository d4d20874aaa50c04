import type { DatabaseSync } from 'node:sqlite'
import type { Seq } from '../../model/ids.ts'
import type { SessionId, StoredSummary } from '../store.ts'
import { prepared } from './prepared.ts'
import { requireSession } from './session-rows.ts'

/** The summaries that were kept for this revision of a session. */
export function readSummaries(database: DatabaseSync, id: SessionId, revision: Seq): StoredSummary[] {
  const sql = 'SELECT seq, body, facts FROM summaries WHERE session_id = ? AND revision = ?'
  return prepared(database, sql).all(id, revision) as StoredSummary[]
}

/** Keeps them, if the session still has this revision. */
export function writeSummaries(
  database: DatabaseSync,
  id: SessionId,
  revision: Seq,
  summaries: readonly StoredSummary[],
): void {
  if (requireSession(database, id).revision !== revision) return
  forgetSummaries(database, id)
  const sql = 'INSERT INTO summaries (session_id, revision, seq, body, facts) VALUES (?, ?, ?, ?, ?)'
  for (const { seq, body, facts } of summaries) prepared(database, sql).run(id, revision, seq, body, facts)
}

export function forgetSummaries(database: DatabaseSync, id: SessionId): void {
  prepared(database, 'DELETE FROM summaries WHERE session_id = ?').run(id)
}
