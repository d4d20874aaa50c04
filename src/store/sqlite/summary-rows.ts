import type { Seq } from '../../model/ids.ts'
import type { SessionId, StoredSummary } from '../store.ts'
import type { Database } from './database.ts'
import { existingSession } from './session-rows.ts'

/** The summaries that were kept for this revision of a session. */
export function selectSummaries(database: Database, id: SessionId, revision: Seq): StoredSummary[] {
  const sql = 'SELECT seq, body, facts FROM summaries WHERE session_id = ? AND revision = ?'
  return database.prepared(sql).all(id, revision) as StoredSummary[]
}

/** Keeps them, if the session still has this revision. */
export function replaceSummaries(
  database: Database,
  id: SessionId,
  revision: Seq,
  summaries: readonly StoredSummary[],
): void {
  if (existingSession(database, id).revision !== revision) return
  deleteSummaries(database, id)
  const sql = 'INSERT INTO summaries (session_id, revision, seq, body, facts) VALUES (?, ?, ?, ?, ?)'
  for (const { seq, body, facts } of summaries) database.prepared(sql).run(id, revision, seq, body, facts)
}

export function deleteSummaries(database: Database, id: SessionId): void {
  database.prepared('DELETE FROM summaries WHERE session_id = ?').run(id)
}
