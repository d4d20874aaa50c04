import { type LeaseRow, refusedLease } from '../rows/lease-row.ts'
import type { Lease, SessionId } from '../store.ts'
import type { Database } from './database.ts'

/** Takes the lease if it is free, expired or the holder's own. */
export function takeLease(
  database: Database,
  wanted: { id: SessionId; holder: string; ttlMs: number; now: number; token: string },
): Lease {
  const { id, holder, ttlMs, now, token } = wanted
  const held = database.prepared('SELECT holder, expires_at FROM leases WHERE session_id = ?').get(id)
  const refused = refusedLease(held as LeaseRow | undefined, holder, now)
  if (refused !== undefined) return refused
  database
    .prepared('INSERT OR REPLACE INTO leases (session_id, token, holder, expires_at) VALUES (?, ?, ?, ?)')
    .run(id, token, holder, now + ttlMs)
  return { ok: true, token }
}

/** Gives the lease back. One that has passed to another holder stays theirs. */
export function deleteLease(database: Database, id: SessionId, token: string): void {
  database.prepared('DELETE FROM leases WHERE session_id = ? AND token = ?').run(id, token)
}
