import type { SessionId, Store } from '../store/store.ts'

/** The lease of a session, held for a turn; or who has it. */
export type TurnLease =
  | { readonly ok: true; readonly release: () => Promise<void> }
  | { readonly ok: false; readonly holder: string }

const OWN = 'of-the-turn'

/**
 * One thing at a time is at work in a session, over all processes. A turn holds the lease of its session and may compact
 * it too: who asks this store under the name of the turn gets it again, and giving it back leaves it with the turn.
 */
export class Leases {
  readonly #raw: Store
  readonly #turns = new Map<SessionId, string>()
  readonly #leaseMs: number
  readonly store: Store

  constructor(raw: Store, leaseMs: number) {
    this.#raw = raw
    this.#leaseMs = leaseMs
    this.store = {
      ...raw,
      acquireLease: async (id, holder, ttlMs) =>
        this.#turns.get(id) === holder ? { ok: true, token: OWN } : raw.acquireLease(id, holder, ttlMs),
      releaseLease: async (id, token) => (token === OWN ? undefined : raw.releaseLease(id, token)),
    }
  }

  /** Takes the lease for a turn and renews it until it is given back. */
  async takeForTurn(id: SessionId, holder: string): Promise<TurnLease> {
    const lease = await this.#raw.acquireLease(id, holder, this.#leaseMs)
    if (!lease.ok) return lease
    this.#turns.set(id, holder)
    let { token } = lease
    let renewing = Promise.resolve()
    const renew = async () => {
      const again = await this.#raw.acquireLease(id, holder, this.#leaseMs)
      if (again.ok) token = again.token
    }
    const timer = setInterval(() => {
      // A store that is busy now is asked again at the next turn of the timer.
      renewing = renewing.then(renew).catch(() => {})
    }, this.#leaseMs / 3)
    timer.unref()
    const release = async () => {
      clearInterval(timer)
      await renewing
      this.#turns.delete(id)
      await this.#raw.releaseLease(id, token)
    }
    return { ok: true, release }
  }

  /** Who is at work in a session, if anybody. It looks by taking the lease for a moment. */
  async holder(id: SessionId): Promise<string | undefined> {
    const lease = await this.#raw.acquireLease(id, `look:${crypto.randomUUID()}`, 1_000)
    if (!lease.ok) return lease.holder
    await this.#raw.releaseLease(id, lease.token)
    return undefined
  }
}
