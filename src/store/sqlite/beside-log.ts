import type { Seq } from '../../model/types.ts'
import { MOST_PAUSE_MS, type PauseLeft } from '../rows/new-entries.ts'
import { type LeaseRow, leaseHolder } from '../rows/table-rows.ts'
import type { Lease, LeaseHolder, SessionId, StoredAccount, StoredSummary } from '../store.ts'
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

/** The summaries that were kept for this revision of a session. */
export function selectSummaries(database: Database, id: SessionId, revision: Seq): StoredSummary[] {
  const sql = 'SELECT seq, body, facts FROM summaries WHERE session_id = ? AND revision = ?'
  return database.prepared(sql).all(id, revision) as StoredSummary[]
}

/** Keeps summaries, if the session still has this revision. */
export function replaceSummaries(
  database: Database,
  id: SessionId,
  revision: Seq,
  summaries: readonly StoredSummary[],
): void {
  if (existingSession(database, id).revision !== revision) return
  database.prepared('DELETE FROM summaries WHERE session_id = ?').run(id)
  const sql = 'INSERT INTO summaries (session_id, revision, seq, body, facts) VALUES (?, ?, ?, ?, ?)'
  for (const { seq, body, facts } of summaries) database.prepared(sql).run(id, revision, seq, body, facts)
}

/** Deletes everything beside the log that was made from its texts. */
export function deleteDerived(database: Database, id: SessionId): void {
  database.prepared('DELETE FROM summaries WHERE session_id = ?').run(id)
  database.prepared('DELETE FROM accounts WHERE session_id = ?').run(id)
  database.prepared('DELETE FROM sizes WHERE session_id = ?').run(id)
}

/** The holder of the lease, if somebody has it now. */
export function selectLease(database: Database, id: SessionId, now: number): LeaseHolder | undefined {
  const row = database.prepared('SELECT holder, expires_at FROM leases WHERE session_id = ?').get(id)
  return leaseHolder(row as LeaseRow | undefined, now)
}

/** Takes the lease if it is free, expired or the holder's own. */
export function takeLease(
  database: Database,
  wanted: { id: SessionId; holder: string; ttlMs: number; now: number; token: string },
): Lease {
  const { id, holder, ttlMs, now, token } = wanted
  const held = selectLease(database, id, now)
  if (held !== undefined && held.holder !== holder) return { ok: false, ...held }
  database
    .prepared('INSERT OR REPLACE INTO leases (session_id, token, holder, expires_at) VALUES (?, ?, ?, ?)')
    .run(id, token, holder, now + ttlMs)
  return { ok: true, token }
}

/** Gives the lease back. If another holder has it now, nothing happens. */
export function deleteLease(database: Database, id: SessionId, token: string): void {
  database.prepared('DELETE FROM leases WHERE session_id = ? AND token = ?').run(id, token)
}

/** Takes a task if it is free, expired or the holder's own. */
export function insertTask(
  database: Database,
  {
    name,
    holder,
    ms,
    now,
  }: { readonly name: string; readonly holder: string; readonly ms: number; readonly now: number },
): boolean {
  const sql = `INSERT INTO tasks (name, holder, until) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
    WHERE tasks.holder = excluded.holder OR tasks.until <= ?`
  return Number(database.prepared(sql).run(name, holder, now + ms, now).changes) === 1
}

type PauseRow = { readonly token: string; readonly until: number }

/** The pause that blocks an append with this token, if any. */
export function pauseLeft(
  database: Database,
  id: SessionId,
  token: string | undefined,
  now: number,
): PauseLeft | undefined {
  const pause = database.prepared('SELECT token, until FROM pauses WHERE session_id = ?').get(id) as
    | PauseRow
    | undefined
  if (pause === undefined || pause.until <= now || pause.token === token) return undefined
  return { pausedMs: pause.until - now }
}

/** Begins a pause, unless there is one already. */
export function insertPause(
  database: Database,
  wanted: { readonly id: SessionId; readonly ms: number; readonly now: number; readonly token: string },
): string | undefined {
  const { id, ms, now, token } = wanted
  if (pauseLeft(database, id, undefined, now) !== undefined) return undefined
  const sql = 'INSERT OR REPLACE INTO pauses (session_id, token, until) VALUES (?, ?, ?)'
  database.prepared(sql).run(id, token, now + Math.min(ms, MOST_PAUSE_MS))
  return token
}

export function deletePause(database: Database, id: SessionId, token: string): void {
  database.prepared('DELETE FROM pauses WHERE session_id = ? AND token = ?').run(id, token)
}
