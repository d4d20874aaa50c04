import { SIGNAL_MS, type Signal, type StoreDeps, type StoredSignal, unknownSession } from '../store.ts'
import { type Db, rowsOf, storable } from './connection.ts'
import { readSession } from './session-queries.ts'

/** Stores a signal inside the caller's transaction, deletes those that nobody has served in time, and notifies every process. */
export async function sendSignal(db: Db, deps: StoreDeps, { session, kind, body }: Signal): Promise<void> {
  if ((await readSession(db, session)) === undefined) throw unknownSession(session)
  const now = deps.clock()
  await rowsOf(db, 'DELETE FROM signals WHERE at < $1', [now - SIGNAL_MS])
  await rowsOf(db, SEND, [storable(session), storable(kind), storable(body), now])
}

const SEND = `
  WITH sent AS (INSERT INTO signals (session_id, kind, body, at) VALUES ($1, $2, $3, $4) RETURNING id)
  SELECT pg_notify('pith', json_build_object('signal', id)::text) FROM sent`

/** The signal of a row, unless it was served meanwhile. */
export function readSignal(db: Db, row: number): Promise<StoredSignal[]> {
  return rowsOf<StoredSignal>(db, `${SELECT} WHERE id = $1`, [row])
}

/** The signals that were sent since a time. */
export function signalsSince(db: Db, since: number): Promise<StoredSignal[]> {
  return rowsOf<StoredSignal>(db, `${SELECT} WHERE at >= $1 ORDER BY id`, [since])
}

const SELECT = 'SELECT id AS row, session_id AS session, kind, body FROM signals'

/** Deletes a signal that was served. */
export async function forgetSignal(db: Db, row: number): Promise<void> {
  await rowsOf(db, 'DELETE FROM signals WHERE id = $1', [row])
}
