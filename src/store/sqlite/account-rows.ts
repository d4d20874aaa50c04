import type { SessionId, StoredAccount } from '../store.ts'
import type { Database } from './database.ts'
import { existingSession } from './session-rows.ts'

/** The accounts that were kept of these sessions. */
export function selectAccounts(database: Database, ids: readonly SessionId[]): StoredAccount[] {
  const sql = `SELECT session_id AS session, seq AS upTo, body FROM accounts
    WHERE session_id IN (SELECT value FROM json_each(?))`
  return database.prepared(sql).all(JSON.stringify(ids)) as StoredAccount[]
}

/** Keeps an account, if the session has not grown since. */
export function replaceAccount(database: Database, { session, upTo, body }: StoredAccount): void {
  if (existingSession(database, session).lastSeq !== upTo) return
  database.prepared('INSERT OR REPLACE INTO accounts (session_id, seq, body) VALUES (?, ?, ?)').run(session, upTo, body)
}

export function deleteAccount(database: Database, id: SessionId): void {
  database.prepared('DELETE FROM accounts WHERE session_id = ?').run(id)
}
