import { type LeaseRow, refusedLease } from '../rows/lease-row.ts'
import type { Lease, SessionId, StoreDeps } from '../store.ts'
import { type Db, rowsOf } from './connection.ts'
import { lockSession } from './rows.ts'
import { storable } from './text.ts'

/** Takes the lease, inside the caller's transaction, when it is free, expired or the holder's own; else says whose it is. */
export async function acquireLease(
  db: Db,
  deps: StoreDeps,
  wanted: { readonly id: SessionId; readonly holder: string; readonly ttlMs: number },
): Promise<Lease> {
  const { id } = await lockSession(db, wanted.id)
  const holder = storable(wanted.holder)
  const sql = 'SELECT holder, expires_at FROM leases WHERE session_id = $1'
  const [held] = await rowsOf<LeaseRow>(db, sql, [id])
  const now = deps.clock()
  const refused = refusedLease(held, holder, now)
  if (refused !== undefined) return refused
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
