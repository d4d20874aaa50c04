import { AbortReason } from '../../agent/interruption.ts'
import type { WireWork } from '../../contract/shapes/shapes.ts'
import { type HeldLease, holdForTurn, leaseHolder } from '../../session/compaction/hold-lease.ts'
import type { SessionId, Store } from '../../store/store.ts'

/** A turn or a compaction that runs in this process and can be cancelled. */
export type Work = WireWork & {
  readonly session: SessionId
  readonly stop: AbortController
  readonly done: Promise<unknown>
}

/** The work that runs in this process: a stop waits for it, a cancel ends it. */
export class WorkList {
  readonly #all = new Set<Work>()
  #stopping = false

  get isStopping(): boolean {
    return this.#stopping
  }

  get running(): readonly Work[] {
    return [...this.#all]
  }

  /** Runs work under an id until it ends. */
  start<T>(session: SessionId, running: WireWork, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const done = work(stop.signal)
    const mine: Work = { ...running, session, stop, done }
    this.#all.add(mine)
    return done.finally(() => this.#all.delete(mine))
  }

  /** Cancels the work with this id and waits for its end; false when this process does not run it. */
  async cancel(id: string): Promise<boolean> {
    const work = this.running.find((each) => each.id === id)
    if (work === undefined) return false
    work.stop.abort()
    await work.done.catch(() => undefined)
    return true
  }

  /** Takes no new work, waits for the running work, and cancels the rest after the grace time. */
  async drain(graceMs: number): Promise<void> {
    this.#stopping = true
    const ended = Promise.allSettled(this.running.map(({ done }) => done))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    await Promise.race([ended, late])
    clearTimeout(timer)
    // The log then says why, for the model and for everybody who continues the session.
    for (const { stop } of this.running) stop.abort(new AbortReason('the server shut down'))
    await Promise.allSettled(this.running.map(({ done }) => done))
  }
}

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
