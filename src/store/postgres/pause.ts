import { MOST_PAUSE_MS, type PauseLeft } from '../pause-wait.ts'
import type { SessionId, StoreDeps } from '../store.ts'
import { type Db, rowsOf } from './connection.ts'
import { lockSession } from './rows.ts'
import { storable } from './text.ts'

/** The pause that holds up an append with this token, if any. */
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

/** Begins a pause inside the caller's transaction, unless another one lasts. */
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
