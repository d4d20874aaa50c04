import type { Seq } from '../../model/types.ts'
import { MOST_PAUSE_MS, type PauseLeft } from '../rows/new-entries.ts'
import { type LeaseRow, leaseHolder } from '../rows/table-rows.ts'
import type {
  ChainMark,
  ChainPlace,
  Lease,
  LeaseHolder,
  SessionId,
  StoreDeps,
  StoredAccount,
  StoredSummary,
} from '../store.ts'
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

/** The places of these values, in sessions that are not deleted. */
export function readChainPlaces(db: Db, values: readonly string[]): Promise<ChainPlace[]> {
  return rowsOf<ChainPlace>(db, PLACES, [values.map(storable)])
}

const PLACES = `
  SELECT value, session_id AS session, seq, holder,
    seq = (SELECT max(seq) FROM chains all_marks WHERE all_marks.session_id = chains.session_id) AS "isEnd"
  FROM chains JOIN chain_holders USING (session_id)
  WHERE value = ANY($1::text[])`

/** Marks places of a session's log, inside the caller's transaction. */
export async function writeChainMarks(
  db: Db,
  id: SessionId,
  marks: readonly ChainMark[],
  holder: string,
): Promise<void> {
  const row = await lockSession(db, id)
  await rowsOf(db, INSERT_MARKS, [row.id, marks.map(({ value }) => storable(value)), marks.map(({ seq }) => seq)])
  await rowsOf(db, INSERT_HOLDER, [row.id, storable(holder)])
}

const INSERT_MARKS = `
  INSERT INTO chains (session_id, value, seq)
  SELECT DISTINCT ON (value) $1, value, seq FROM unnest($2::text[], $3::bigint[]) AS mark (value, seq)
  ON CONFLICT (value, session_id) DO UPDATE SET seq = excluded.seq`

const INSERT_HOLDER = `
  INSERT INTO chain_holders (session_id, holder) VALUES ($1, $2)
  ON CONFLICT (session_id) DO UPDATE SET holder = excluded.holder`

/** The summaries that were kept for this revision of a session. */
export function readSummaries(db: Db, id: SessionId, revision: Seq): Promise<StoredSummary[]> {
  const sql = 'SELECT seq, body, facts FROM summaries WHERE session_id = $1 AND revision = $2'
  return rowsOf<StoredSummary>(db, sql, [storable(id), revision])
}

/** Keeps summaries, inside the caller's transaction, if the session still has this revision. */
export async function writeSummaries(
  db: Db,
  id: SessionId,
  revision: Seq,
  summaries: readonly StoredSummary[],
): Promise<void> {
  const row = await lockSession(db, id)
  if (row.revision !== revision) return
  await rowsOf(db, 'DELETE FROM summaries WHERE session_id = $1', [row.id])
  const sql = 'INSERT INTO summaries (session_id, revision, seq, body, facts) VALUES ($1, $2, $3, $4, $5)'
  for (const { seq, body, facts } of summaries) await rowsOf(db, sql, [row.id, revision, seq, body, facts])
}

/** Deletes everything beside the log that was made from its texts. */
export async function forgetDerived(db: Db, id: SessionId): Promise<void> {
  await rowsOf(db, 'DELETE FROM summaries WHERE session_id = $1', [id])
  await rowsOf(db, 'DELETE FROM accounts WHERE session_id = $1', [id])
  await rowsOf(db, 'DELETE FROM sizes WHERE session_id = $1', [id])
}

/** The holder of the lease, if somebody has it now. */
export async function readLease(db: Db, id: SessionId, now: number): Promise<LeaseHolder | undefined> {
  const sql = 'SELECT holder, expires_at FROM leases WHERE session_id = $1'
  const [row] = await rowsOf<LeaseRow>(db, sql, [storable(id)])
  return leaseHolder(row, now)
}

/** Takes the lease, inside the caller's transaction, when it is free, expired or the holder's own; otherwise names its holder. */
export async function acquireLease(
  db: Db,
  deps: StoreDeps,
  wanted: { readonly id: SessionId; readonly holder: string; readonly ttlMs: number },
): Promise<Lease> {
  const { id } = await lockSession(db, wanted.id)
  const holder = storable(wanted.holder)
  const now = deps.clock()
  const held = await readLease(db, id, now)
  if (held !== undefined && held.holder !== holder) return { ok: false, ...held }
  const token = storable(deps.ids())
  await rowsOf(db, TAKE, [id, token, holder, now + wanted.ttlMs])
  return { ok: true, token }
}

const TAKE = `
  INSERT INTO leases (session_id, token, holder, expires_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (session_id) DO UPDATE
  SET token = excluded.token, holder = excluded.holder, expires_at = excluded.expires_at`

/** Gives the lease back; nothing happens when the token is no longer the one that holds it. */
export async function releaseLease(db: Db, id: SessionId, token: string): Promise<void> {
  await rowsOf(db, 'DELETE FROM leases WHERE session_id = $1 AND token = $2', [storable(id), storable(token)])
}

/** Takes a task if it is free, expired or the holder's own. */
export async function takeTask(
  db: Db,
  deps: StoreDeps,
  { name, holder, ms }: { readonly name: string; readonly holder: string; readonly ms: number },
): Promise<boolean> {
  const now = deps.clock()
  return (await rowsOf(db, TAKE_TASK, [storable(name), storable(holder), now + ms, now])).length === 1
}

const TAKE_TASK = `
  INSERT INTO tasks (name, holder, until) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE tasks.holder = excluded.holder OR tasks.until <= $4
  RETURNING name`

/** The pause that blocks an append with this token, if any. */
export async function readPause(
  db: Db,
  id: SessionId,
  token: string | undefined,
  now: number,
): Promise<PauseLeft | undefined> {
  const sql = 'SELECT until FROM pauses WHERE session_id = $1 AND until > $2 AND token IS DISTINCT FROM $3'
  const [pause] = await rowsOf<{ until: number }>(db, sql, [storable(id), now, token ?? null])
  return pause && { pausedMs: pause.until - now }
}

/** Begins a pause inside the caller's transaction, unless there is one already. */
export async function beginPause(db: Db, deps: StoreDeps, id: SessionId, ms: number): Promise<string | undefined> {
  const session = await lockSession(db, id)
  const now = deps.clock()
  if ((await readPause(db, session.id, undefined, now)) !== undefined) return undefined
  const token = storable(deps.ids())
  const sql = `INSERT INTO pauses (session_id, token, until) VALUES ($1, $2, $3)
    ON CONFLICT (session_id) DO UPDATE SET token = excluded.token, until = excluded.until`
  await rowsOf(db, sql, [session.id, token, now + Math.min(ms, MOST_PAUSE_MS)])
  return token
}

export async function endPause(db: Db, id: SessionId, token: string): Promise<void> {
  await rowsOf(db, 'DELETE FROM pauses WHERE session_id = $1 AND token = $2', [storable(id), storable(token)])
}
