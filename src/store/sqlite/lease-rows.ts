import type { DatabaseSync } from 'node:sqlite'
import type { Lease, SessionId } from '../store.ts'
import { prepared } from './prepared.ts'

/** Takes the lease if it is free, expired or the holder's own. */
export function takeLease(
  database: DatabaseSync,
  wanted: { id: SessionId; holder: string; ttlMs: number; now: number; token: string },
): Lease {
  const { id, holder, ttlMs, now, token } = wanted
  const held = prepared(database, 'SELECT holder, expires_at FROM leases WHERE session_id = ?').get(id)
  if (held !== undefined && Number(held.expires_at) > now && held.holder !== holder) {
    return { ok: false, holder: String(held.holder), expiresAt: Number(held.expires_at) }
  }
  prepared(database, 'INSERT OR REPLACE INTO leases (session_id, token, holder, expires_at) VALUES (?, ?, ?, ?)').run(
    id,
    token,
    holder,
    now + ttlMs,
  )
  return { ok: true, token }
}

/** Gives the lease back. One that has passed to another holder stays theirs. */
export function deleteLease(database: DatabaseSync, id: SessionId, token: string): void {
  prepared(database, 'DELETE FROM leases WHERE session_id = ? AND token = ?').run(id, token)
}
