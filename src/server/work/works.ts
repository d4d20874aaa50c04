import type { SessionId } from '../../store/store.ts'
import type { Running } from '../http/http-error.ts'

/** Something that runs in this process and can be cancelled. */
export type Work = Running & {
  readonly session: SessionId
  readonly stop: AbortController
  readonly done: Promise<unknown>
}

/** All that runs in this process: what a stop waits for, and what a cancel ends. */
export class Works {
  readonly #all = new Set<Work>()
  #stopping = false

  get isStopping(): boolean {
    return this.#stopping
  }

  get running(): readonly Work[] {
    return [...this.#all]
  }

  /** Runs something under an id until it ends. */
  start<T>(session: SessionId, running: Running, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const done = work(stop.signal)
    const mine: Work = { ...running, session, stop, done }
    this.#all.add(mine)
    return done.finally(() => this.#all.delete(mine))
  }

  /** Cancels the work with this id and waits until it has ended; false when it is not of this process. */
  async cancel(id: string): Promise<boolean> {
    const work = this.running.find((each) => each.id === id)
    if (work === undefined) return false
    work.stop.abort()
    await work.done.catch(() => undefined)
    return true
  }

  /** Takes no new work, waits for what runs, and cancels what has not ended then. */
  async drain(graceMs: number): Promise<void> {
    this.#stopping = true
    const ended = Promise.allSettled(this.running.map(({ done }) => done))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    await Promise.race([ended, late])
    clearTimeout(timer)
    for (const { stop } of this.running) stop.abort()
    await Promise.allSettled(this.running.map(({ done }) => done))
  }
}
