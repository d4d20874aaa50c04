import { hostname } from 'node:os'
import type { SessionId, Store } from '../../store/store.ts'

/** A lease that is renewed until it is released, or the name of its holder. */
export type HeldLease =
  | { readonly ok: true; readonly release: () => Promise<void> }
  | { readonly ok: false; readonly holder: string }

/** How long a compaction still holds a session when its process no longer renews the lease. */
const COMPACTION_LEASE_MS = 5 * 60_000

/**
 * Takes the lease of a session and keeps it as long as the process lives, however long the work takes. A process of this
 * machine that died blocks nobody: its lease is taken over in its name.
 */
export async function holdLease(
  store: Store,
  id: SessionId,
  holder: string,
  ttlMs = COMPACTION_LEASE_MS,
): Promise<HeldLease> {
  const lease = await take(store, id, { holder, isTurn: false }, ttlMs)
  return lease.ok || !isDead(lease.holder) ? lease : take(store, id, { holder: lease.holder, isTurn: false }, ttlMs)
}

/** The same for a turn. Until it ends, work under the same name, such as a compaction, counts as part of the turn. */
export function holdForTurn(store: Store, id: SessionId, holder: string, ttlMs: number): Promise<HeldLease> {
  return take(store, id, { holder, isTurn: true }, ttlMs)
}

type Work = { readonly holder: string; readonly isTurn: boolean }

async function take(store: Store, id: SessionId, work: Work, ttlMs: number): Promise<HeldLease> {
  const own = worksOf(store)
  const other = own.get(id)
  if (other?.isTurn === true && other.holder === work.holder) return { ok: true, release: async () => {} }
  if (other !== undefined) return { ok: false, holder: other.holder }
  own.set(id, work)
  try {
    const lease = await store.acquireLease(id, work.holder, ttlMs)
    if (!lease.ok) own.delete(id)
    return lease.ok ? { ok: true, release: renewed(store, id, work.holder, ttlMs, lease.token) } : lease
  } catch (error) {
    own.delete(id)
    throw error
  }
}

/** The work of this process. A store gives the lease to the same holder again, so it cannot distinguish two jobs of one process. */
const works = new WeakMap<Store, Map<SessionId, Work>>()

function worksOf(store: Store): Map<SessionId, Work> {
  const own = works.get(store) ?? new Map<SessionId, Work>()
  works.set(store, own)
  return own
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Renews the lease well before it expires. Returns a function that stops this and gives the lease back. */
function renewed(store: Store, id: SessionId, holder: string, ttlMs: number, first: string): () => Promise<void> {
  let token = first
  let renewing = Promise.resolve()
  const renew = async () => {
    const lease = await store.acquireLease(id, holder, ttlMs)
    // If another holder has the lease now, it keeps it. The check at the commit protects the session.
    if (lease.ok) token = lease.token
  }
  const timer = setInterval(
    () => {
      // When the store is busy, the next renewal tries again.
      renewing = renewing.then(renew).catch(() => {})
    },
    Math.min(LONGEST_TIMER_MS, ttlMs / 3),
  )
  timer.unref()
  return async () => {
    clearInterval(timer)
    await renewing
    worksOf(store).delete(id)
    await store.releaseLease(id, token)
  }
}

/** The name of this process, for others that would do the same work meanwhile. */
export function ownHolder(): string {
  return holderOf(process.pid)
}

/** The name of a process of this machine. */
export function holderOf(pid: number): string {
  return `${hostname()}:${pid}`
}

/** True for a process of this machine that is gone. Its work may come before its name: `turn:12@host:34`. */
export function isDead(holder: string): boolean {
  const name = holder.slice(holder.lastIndexOf('@') + 1)
  const pid = Number(/:(\d+)$/.exec(name)?.[1])
  if (name !== holderOf(pid) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
