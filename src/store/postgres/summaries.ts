import type { Seq } from '../../model/ids.ts'
import type { SessionId, StoredSummary } from '../store.ts'
import { type Db, rowsOf } from './connection.ts'
import { lockSession } from './rows.ts'
import { storable } from './text.ts'

/** What is kept of a session's summaries. */
export function readSummaries(db: Db, id: SessionId): Promise<StoredSummary[]> {
  const sql = 'SELECT seq, key, body, facts FROM summaries WHERE session_id = $1'
  return rowsOf<StoredSummary>(db, sql, [storable(id)])
}

/** Keeps them, inside the caller's transaction, if the session still has the view that they were made for. */
export async function writeSummaries(
  db: Db,
  id: SessionId,
  revision: Seq,
  summaries: readonly StoredSummary[],
): Promise<void> {
  const row = await lockSession(db, id)
  if (row.revision !== revision) return
  await forgetSummaries(db, row.id)
  const sql = 'INSERT INTO summaries (session_id, seq, key, body, facts) VALUES ($1, $2, $3, $4, $5)'
  for (const { seq, key, body, facts } of summaries) {
    await rowsOf(db, sql, [row.id, seq, key, body, facts])
  }
}

export async function forgetSummaries(db: Db, id: SessionId): Promise<void> {
  await rowsOf(db, 'DELETE FROM summaries WHERE session_id = $1', [id])
}
