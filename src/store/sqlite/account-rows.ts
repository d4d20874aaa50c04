import type { DatabaseSync } from 'node:sqlite'
import type { SessionId, StoredAccount } from '../store.ts'
import { prepared } from './prepared.ts'
import { existingSession } from './session-rows.ts'

/** The accounts that were kept of these sessions. */
export function selectAccounts(database: DatabaseSync, ids: readonly SessionId[]): StoredAccount[] {
  const sql = `SELECT session_id AS session, seq AS upTo, body FROM accounts
    WHERE session_id IN (SELECT value FROM json_each(?))`
  return prepared(database, sql).all(JSON.stringify(ids)) as StoredAccount[]
}

/** Keeps it, if the session has not grown since. */
export function replaceAccount(database: DatabaseSync, { session, upTo, body }: StoredAccount): void {
  if (existingSession(database, session).lastSeq !== upTo) return
  prepared(database, 'INSERT OR REPLACE INTO accounts (session_id, seq, body) VALUES (?, ?, ?)').run(
    session,
    upTo,
    body,
  )
}

export function deleteAccount(database: DatabaseSync, id: SessionId): void {
  prepared(database, 'DELETE FROM accounts WHERE session_id = ?').run(id)
}
