import type { Lease } from '../store.ts'

/** A row of the table of leases, as both databases read it. */
export type LeaseRow = { readonly holder: string; readonly expires_at: number }

/** The refusal of a lease that another holder has. Undefined when it is free, expired or the holder's own. */
export function refusedLease(held: LeaseRow | undefined, holder: string, now: number): Lease | undefined {
  if (held === undefined || held.expires_at <= now || held.holder === holder) return undefined
  return { ok: false, holder: held.holder, expiresAt: held.expires_at }
}
