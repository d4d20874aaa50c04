import type { AccessRows, StoredGrant, StoredToken, TokenSpending } from '../store.ts'
import { type Db, rowsOf, storable } from './connection.ts'

/**
 * The tokens and grants, unless the caller knows this version of them. The version is read first: rows that are newer than it
 * are only read once more.
 */
export async function readAccess(db: Db, known: number | undefined): Promise<AccessRows | undefined> {
  const [row] = await rowsOf<{ version: number }>(db, 'SELECT version FROM server_access')
  const version = row?.version ?? 0
  if (version === known) return undefined
  const tokens = await rowsOf<StoredToken>(db, TOKENS)
  const grants = await rowsOf<Omit<StoredGrant, 'session'> & { readonly session: string | null }>(db, GRANTS)
  return { version, tokens, grants: grants.map((grant) => ({ ...grant, session: grant.session ?? undefined })) }
}

const TOKENS = 'SELECT hash, name, body FROM server_tokens WHERE NOT removed ORDER BY place'
const GRANTS = 'SELECT hash, token, kind, session_id AS session, expires_at AS "expiresAt" FROM server_grants'

/** Adds a token inside the caller's transaction, unless its name is in use or its hash is known. */
export function writeToken(db: Db, { hash, name, body }: StoredToken): Promise<boolean> {
  const sql = 'INSERT INTO server_tokens (hash, name, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING hash'
  return changed(db, sql, [hash, storable(name), storable(body)])
}

export function rewriteToken(db: Db, name: string, body: string): Promise<boolean> {
  const sql = 'UPDATE server_tokens SET body = $2 WHERE name = $1 AND NOT removed RETURNING hash'
  return changed(db, sql, [storable(name), storable(body)])
}

/** Marks a token as removed inside the caller's transaction, and deletes its grants. */
export function endToken(db: Db, name: string): Promise<boolean> {
  const sql = `
    WITH gone AS (UPDATE server_tokens SET removed = true WHERE name = $1 AND NOT removed RETURNING hash),
      ended AS (DELETE FROM server_grants WHERE token IN (SELECT hash FROM gone))
    SELECT hash FROM gone`
  return changed(db, sql, [storable(name)])
}

/** Adds a grant of a token that was not removed, inside the caller's transaction, and deletes those that have expired. */
export async function writeGrant(db: Db, grant: StoredGrant, now: number): Promise<boolean> {
  await rowsOf(db, 'DELETE FROM server_grants WHERE expires_at <= $1', [now])
  // The lock lets a removal of the token wait, which then deletes this grant, too.
  const sql = `INSERT INTO server_grants (hash, token, kind, session_id, expires_at)
    SELECT $1, hash, $3, $4, $5 FROM server_tokens WHERE hash = $2 AND NOT removed FOR SHARE
    ON CONFLICT DO NOTHING RETURNING hash`
  const { hash, token, kind, session, expiresAt } = grant
  return changed(db, sql, [hash, token, kind, session === undefined ? null : storable(session), expiresAt])
}

export function endGrant(db: Db, hash: string): Promise<boolean> {
  return changed(db, 'DELETE FROM server_grants WHERE hash = $1 RETURNING hash', [hash])
}

/** Adds to the spending of a token on a day, and returns the sum. */
export async function sumSpending(db: Db, { token, day, cost, tokens }: TokenSpending): Promise<TokenSpending> {
  const sql = `INSERT INTO server_spending AS s (token, day, cost, tokens) VALUES ($1, $2, $3, $4)
    ON CONFLICT (token, day) DO UPDATE SET cost = s.cost + excluded.cost, tokens = s.tokens + excluded.tokens
    RETURNING token, day, cost, tokens`
  const [sum] = await rowsOf<TokenSpending>(db, sql, [token, day, cost, tokens])
  return sum ?? { token, day, cost, tokens }
}

export function readSpending(db: Db, day: string): Promise<TokenSpending[]> {
  const sql = 'SELECT token, day, cost, tokens FROM server_spending WHERE day = $1 ORDER BY token'
  return rowsOf<TokenSpending>(db, sql, [day])
}

/** Runs a change of the tokens or grants inside the caller's transaction; true if it changed a row, which is then counted. */
async function changed(db: Db, sql: string, values: readonly unknown[]): Promise<boolean> {
  const rows = await rowsOf(db, sql, values)
  if (rows.length === 0) return false
  await rowsOf(db, 'UPDATE server_access SET version = version + 1')
  return true
}
