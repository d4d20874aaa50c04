import type { SessionId, StoredAccount } from '../store.ts'
import { type Db, lockSession, rowsOf, storable } from './connection.ts'

/** The accounts that were kept of these sessions. */
export function readAccounts(db: Db, ids: readonly SessionId[]): Promise<StoredAccount[]> {
  const sql = 'SELECT session_id AS session, seq AS "upTo", body FROM accounts WHERE session_id = ANY ($1)'
  return rowsOf<StoredAccount>(db, sql, [ids.map(storable)])
}

/** Keeps an account, inside the caller's transaction, if the session has not grown since. */
export async function writeAccount(db: Db, { session, upTo, body }: StoredAccount): Promise<void> {
  const row = await lockSession(db, session)
  if (row.last_seq !== upTo) return
  const sql = `INSERT INTO accounts (session_id, seq, body) VALUES ($1, $2, $3)
    ON CONFLICT (session_id) DO UPDATE SET seq = $2, body = $3`
  await rowsOf(db, sql, [row.id, upTo, body])
}

export async function forgetAccount(db: Db, id: SessionId): Promise<void> {
  await rowsOf(db, 'DELETE FROM accounts WHERE session_id = $1', [id])
}
