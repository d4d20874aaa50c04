import { type HeldLease, holdForTurn, leaseHolder } from '../../session/hold-lease.ts'
import type { SessionId, Store } from '../../store/store.ts'

/** The lease of a session, held for a turn; or who has it. */
export type TurnLease = HeldLease

/** One thing at a time is at work in a session, over all processes. A turn holds its lease and may compact it too. */
export class Leases {
  readonly store: Store
  readonly #leaseMs: number

  constructor(store: Store, leaseMs: number) {
    this.store = store
    this.#leaseMs = leaseMs
  }

  /** Takes the lease for a turn and renews it until it is given back. */
  takeForTurn(id: SessionId, holder: string): Promise<TurnLease> {
    return holdForTurn(this.store, id, holder, this.#leaseMs)
  }

  /** Who is at work in a session, if anybody. */
  holder(id: SessionId): Promise<string | undefined> {
    return leaseHolder(this.store, id)
  }
}
