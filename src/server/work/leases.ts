import { type HeldLease, holdForTurn, leaseHolder } from '../../session/compaction/hold-lease.ts'
import type { SessionId, Store } from '../../store/store.ts'

/**
 * The leases of sessions: over all processes, one turn or compaction runs in a session at a time. A turn may compact
 * under its own lease.
 */
export class Leases {
  readonly store: Store
  readonly #leaseMs: number

  constructor(store: Store, leaseMs: number) {
    this.store = store
    this.#leaseMs = leaseMs
  }

  /** Takes the lease for a turn and renews it until it is given back. */
  takeForTurn(id: SessionId, holder: string): Promise<HeldLease> {
    return holdForTurn(this.store, id, holder, this.#leaseMs)
  }

  /** The holder of a session's lease, if any. */
  holder(id: SessionId): Promise<string | undefined> {
    return leaseHolder(this.store, id)
  }
}
