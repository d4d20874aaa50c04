import type { AccessRows, StoredGrant, StoredToken, TokenSpending } from '../store.ts'
import type { Database } from './database.ts'

/** The tokens and grants, unless the caller knows this version of them. */
export function selectAccess(database: Database, known: number | undefined): AccessRows | undefined {
  const version = Number(database.prepared('SELECT version FROM server_access').get()?.version)
  if (version === known) return undefined
  const tokens = database.prepared('SELECT hash, name, body FROM server_tokens WHERE removed = 0 ORDER BY rowid').all()
  const grants = database.prepared('SELECT hash, token, kind, session_id, expires_at FROM server_grants').all()
  return {
    version,
    tokens: tokens as StoredToken[],
    grants: grants.map(({ hash, token, kind, session_id, expires_at }) => ({
      hash: String(hash),
      token: String(token),
      kind: String(kind),
      session: session_id === null ? undefined : String(session_id),
      expiresAt: Number(expires_at),
    })),
  }
}

/** Adds a token, unless its name is in use or its hash is known. */
export function insertToken(database: Database, { hash, name, body }: StoredToken): boolean {
  const sql = 'INSERT INTO server_tokens (hash, name, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
  return changed(database, database.prepared(sql).run(hash, name, body))
}

export function updateToken(database: Database, name: string, body: string): boolean {
  const sql = 'UPDATE server_tokens SET body = ? WHERE name = ? AND removed = 0'
  return changed(database, database.prepared(sql).run(body, name))
}

/** Marks a token as removed, and deletes its grants. */
export function markRemoved(database: Database, name: string): boolean {
  const grants =
    'DELETE FROM server_grants WHERE token = (SELECT hash FROM server_tokens WHERE name = ? AND removed = 0)'
  database.prepared(grants).run(name)
  const sql = 'UPDATE server_tokens SET removed = 1 WHERE name = ? AND removed = 0'
  return changed(database, database.prepared(sql).run(name))
}

/** Adds a grant of a token that was not removed, and deletes those that have expired. */
export function insertGrant(database: Database, grant: StoredGrant, now: number): boolean {
  database.prepared('DELETE FROM server_grants WHERE expires_at <= ?').run(now)
  const sql = `INSERT INTO server_grants (hash, token, kind, session_id, expires_at)
    SELECT ?, hash, ?, ?, ? FROM server_tokens WHERE hash = ? AND removed = 0 ON CONFLICT DO NOTHING`
  const { hash, token, kind, session = null, expiresAt } = grant
  return changed(database, database.prepared(sql).run(hash, kind, session, expiresAt, token))
}

export function deleteGrant(database: Database, hash: string): boolean {
  return changed(database, database.prepared('DELETE FROM server_grants WHERE hash = ?').run(hash))
}

/** Adds to the spending of a token on a day, and returns the sum. */
export function addToSpending(database: Database, { token, day, cost, tokens }: TokenSpending): TokenSpending {
  const sql = `INSERT INTO server_spending (token, day, cost, tokens) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET cost = cost + excluded.cost, tokens = tokens + excluded.tokens`
  database.prepared(sql).run(token, day, cost, tokens)
  const sum = 'SELECT token, day, cost, tokens FROM server_spending WHERE token = ? AND day = ?'
  return database.prepared(sum).get(token, day) as TokenSpending
}

export function selectSpending(database: Database, day: string): TokenSpending[] {
  const sql = 'SELECT token, day, cost, tokens FROM server_spending WHERE day = ? ORDER BY token'
  return database.prepared(sql).all(day) as TokenSpending[]
}

/** Counts a change of the tokens or grants, inside the caller's transaction. */
function changed(database: Database, { changes }: { readonly changes: number | bigint }): boolean {
  if (Number(changes) === 0) return false
  database.prepared('UPDATE server_access SET version = version + 1').run()
  return true
}
