import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { AbortReason } from '../../agent/interruption.ts'
import type { WireWork } from '../../contract/shapes/shapes.ts'
import { type HeldLease, holdForTurn } from '../../session/compaction/hold-lease.ts'
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

/** The name of work as a lease holder: its kind, its id and its process. */
export function workHolder({ kind, id }: WireWork): string {
  return `${kind}:${id}@${hostname()}:${process.pid}`
}

/** The work that a lease holder's name describes. The name of a terminal is only its process. */
export function runningOf(holder: string): WireWork {
  const [, kind, id] = /^(compaction|turn):([^@]+)@/.exec(holder) ?? []
  return (kind === 'compaction' || kind === 'turn') && id !== undefined ? { kind, id } : { kind: 'other', id: holder }
}

/** A turn that waits for its session. */
type Waiter = {
  readonly holder: string
  /** Called with the lease's holder at each failed try, in the order in which the turns came in. */
  readonly onBusy: (holder: string) => Promise<void>
}

const RETRY_MS = 100

/**
 * The waiting turns of this process, first come first served. Over all processes, one turn or compaction runs in a session at a
 * time: the one that has its lease. A turn may compact under its own lease.
 */
export class TurnQueues {
  readonly #store: Store
  readonly #leaseMs: number
  readonly #queues = new Map<SessionId, Waiter[]>()

  constructor(store: Store, leaseMs: number) {
    this.#store = store
    this.#leaseMs = leaseMs
  }

  /** Waits until the waiter is first in line and gets the lease, or until the signal aborts. */
  async take(id: SessionId, waiter: Waiter, signal: AbortSignal): Promise<HeldLease> {
    const queue = this.#queues.get(id) ?? []
    this.#queues.set(id, queue)
    queue.push(waiter)
    try {
      for (;;) {
        const isFirst = queue[0] === waiter
        const lease = isFirst ? await holdForTurn(this.#store, id, waiter.holder, this.#leaseMs) : undefined
        if (lease?.ok === true) return lease
        if (lease !== undefined) for (const each of [...queue]) await each.onBusy(lease.holder)
        if (signal.aborted) return { ok: false, holder: '' }
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      queue.splice(queue.indexOf(waiter), 1)
      if (queue.length === 0) this.#queues.delete(id)
    }
  }
}

/** Posts with a key whose answer is not out yet: a repetition waits for the same answer. */
export class InFlight {
  readonly #answers = new Map<string, Promise<unknown>>()

  once<T>(key: string | undefined, act: () => Promise<T>): Promise<T> {
    if (key === undefined) return act()
    // The key contains the route, and a route has one type of answer.
    const known = this.#answers.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const answer = act().finally(() => this.#answers.delete(key))
    this.#answers.set(key, answer)
    return answer
  }
}
