import { MOST_PAUSE_MS, type PauseLeft } from '../pause-wait.ts'
import type { SessionId } from '../store.ts'
import type { Database } from './database.ts'

type PauseRow = { readonly token: string; readonly until: number }

/** The pause that holds up an append with this token, if any. */
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

/** Begins a pause, unless another one lasts. */
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
