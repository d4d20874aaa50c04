import type { HeldLease } from '../../session/compaction/hold-lease.ts'
import type { SessionId } from '../../store/store.ts'
import type { Leases } from './work-list.ts'

/** A turn that waits for its session. */
export type Waiter = {
  readonly holder: string
  /** Called with the lease's holder at each failed try, in the order in which the turns came in. */
  readonly onBusy: (holder: string) => Promise<void>
}

const RETRY_MS = 100

/** The waiting turns of this process, first come first served. */
export class TurnQueues {
  readonly #leases: Leases
  readonly #queues = new Map<SessionId, Waiter[]>()

  constructor(leases: Leases) {
    this.#leases = leases
  }

  /** Waits until the waiter is first in line and gets the lease, or until the signal aborts. */
  async take(id: SessionId, waiter: Waiter, signal: AbortSignal): Promise<HeldLease> {
    const queue = this.#queues.get(id) ?? []
    this.#queues.set(id, queue)
    queue.push(waiter)
    try {
      for (;;) {
        const lease = queue[0] === waiter ? await this.#leases.takeForTurn(id, waiter.holder) : undefined
        if (lease?.ok === true) return lease
        if (lease !== undefined) for (const each of [...queue]) await each.onBusy(lease.holder)
        if (signal.aborted) return { ok: false, holder: '' }
        await pause(RETRY_MS, signal)
      }
    } finally {
      queue.splice(queue.indexOf(waiter), 1)
      if (queue.length === 0) this.#queues.delete(id)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
