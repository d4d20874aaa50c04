import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../store.ts'
import { MOST_PAUSE_MS, type PauseLeft } from '../when-resumed.ts'
import { prepared } from './prepared.ts'

type PauseRow = { readonly token: string; readonly until: number }

/** The pause that holds up an append with this token, if any. */
export function pauseLeft(
  database: DatabaseSync,
  id: SessionId,
  token: string | undefined,
  now: number,
): PauseLeft | undefined {
  const pause = prepared(database, 'SELECT token, until FROM pauses WHERE session_id = ?').get(id) as
    | PauseRow
    | undefined
  if (pause === undefined || pause.until <= now || pause.token === token) return undefined
  return { pausedMs: pause.until - now }
}

/** Begins a pause, unless another one lasts. */
export function insertPause(
  database: DatabaseSync,
  wanted: { readonly id: SessionId; readonly ms: number; readonly now: number; readonly token: string },
): string | undefined {
  const { id, ms, now, token } = wanted
  if (pauseLeft(database, id, undefined, now) !== undefined) return undefined
  const sql = 'INSERT OR REPLACE INTO pauses (session_id, token, until) VALUES (?, ?, ?)'
  prepared(database, sql).run(id, token, now + Math.min(ms, MOST_PAUSE_MS))
  return token
}

export function deletePause(database: DatabaseSync, id: SessionId, token: string): void {
  prepared(database, 'DELETE FROM pauses WHERE session_id = ? AND token = ?').run(id, token)
}
