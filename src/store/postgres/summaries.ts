import type { Seq } from '../../model/ids.ts'
import type { SessionId, StoredSummary } from '../store.ts'
import { type Db, rowsOf } from './connection.ts'
import { lockSession } from './rows.ts'
import { storable } from './text.ts'

/** The summaries that were kept for this revision of a session. */
export function readSummaries(db: Db, id: SessionId, revision: Seq): Promise<StoredSummary[]> {
  const sql = 'SELECT seq, body, facts FROM summaries WHERE session_id = $1 AND revision = $2'
  return rowsOf<StoredSummary>(db, sql, [storable(id), revision])
}

/** Keeps them, inside the caller's transaction, if the session still has this revision. */
export async function writeSummaries(
  db: Db,
  id: SessionId,
  revision: Seq,
  summaries: readonly StoredSummary[],
): Promise<void> {
  const row = await lockSession(db, id)
  if (row.revision !== revision) return
  await forgetSummaries(db, row.id)
  const sql = 'INSERT INTO summaries (session_id, revision, seq, body, facts) VALUES ($1, $2, $3, $4, $5)'
  for (const { seq, body, facts } of summaries) await rowsOf(db, sql, [row.id, revision, seq, body, facts])
}

export async function forgetSummaries(db: Db, id: SessionId): Promise<void> {
  await rowsOf(db, 'DELETE FROM summaries WHERE session_id = $1', [id])
}
