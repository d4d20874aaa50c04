import type { SessionId, Store } from '../store/store.ts'

/** A lease that is renewed until it is released, or who has it. */
export type HeldLease =
  | { readonly ok: true; readonly release: () => Promise<void> }
  | { readonly ok: false; readonly holder: string }

/** Takes the lease of a session and keeps it for as long as the process lives, however long the work takes. */
export async function holdLease(store: Store, id: SessionId, holder: string, ttlMs: number): Promise<HeldLease> {
  const own = holdersOf(store)
  const other = own.get(id)
  if (other !== undefined) return { ok: false, holder: other }
  own.set(id, holder)
  try {
    const lease = await store.acquireLease(id, holder, ttlMs)
    if (!lease.ok) own.delete(id)
    return lease.ok ? { ok: true, release: renewed(store, id, holder, ttlMs, lease.token) } : lease
  } catch (error) {
    own.delete(id)
    throw error
  }
}

/** A store gives a lease to its own holder again: who works here under the same name is known only here. */
const holders = new WeakMap<Store, Map<SessionId, string>>()

function holdersOf(store: Store): Map<SessionId, string> {
  const own = holders.get(store) ?? new Map<SessionId, string>()
  holders.set(store, own)
  return own
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Renews the lease well before it expires; answers with how to end that and give it back. */
function renewed(store: Store, id: SessionId, holder: string, ttlMs: number, first: string): () => Promise<void> {
  let token = first
  let renewing = Promise.resolve()
  const renew = async () => {
    const lease = await store.acquireLease(id, holder, ttlMs)
    // One that has passed to another holder after all is theirs: the check at the commit is the guard.
    if (lease.ok) token = lease.token
  }
  const timer = setInterval(
    () => {
      // A store that is busy now is asked again at the next turn.
      renewing = renewing.then(renew).catch(() => {})
    },
    Math.min(LONGEST_TIMER_MS, Math.max(1, Math.floor(ttlMs / 3))),
  )
  timer.unref()
  return async () => {
    clearInterval(timer)
    await renewing
    holdersOf(store).delete(id)
    await store.releaseLease(id, token)
  }
}
