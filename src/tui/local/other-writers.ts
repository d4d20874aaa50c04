import type { Entry, Seq } from '../../model/types.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { OpenedSession, PortEvent } from '../port/port.ts'

/** The session to follow, and the receivers of its entries and events. */
export type FollowedSession = {
  readonly store: Store
  readonly session: () => SessionId
  /** Takes over entries of other processes, and emits them as events. */
  readonly emitChanges: (entries: readonly Entry[]) => Promise<void>
  readonly deliver: (event: PortEvent) => void
}

/** Merges our own events and the entries of other processes in the order of the log. Each entry is emitted once. */
export class OtherWriters {
  readonly #followed: FollowedSession
  readonly #stop: () => void
  /** The last entry that was emitted. */
  #after: Seq = 0
  /** Events that wait for entries of other processes that come before them in the log. */
  #held: PortEvent[] | undefined
  #checking: Promise<void> = Promise.resolve()

  constructor(followed: FollowedSession) {
    this.#followed = followed
    this.#stop = followed.store.subscribe(({ session }) => {
      if (session === followed.session()) this.check()
    })
  }

  /** Delivers an event, after the entries that come before it. */
  pass(event: PortEvent): void {
    if (event.type === 'opened') this.start(event.opened)
    if (this.#held !== undefined) return void this.#held.push(event)
    if (event.type !== 'entry') return this.#followed.deliver(event)
    const { seq } = event.entry
    if (seq <= this.#after) return
    if (seq > this.#after + 1) {
      this.#held = [event]
      return this.check()
    }
    this.#after = seq
    this.#followed.deliver(event)
  }

  /** Starts over with a session that the screen is about to show. */
  start({ entries }: OpenedSession): void {
    this.#held = undefined
    this.#after = entries.at(-1)?.seq ?? 0
  }

  /** Emits new entries of other processes. */
  check(): void {
    this.#checking = this.#checking.then(() => this.#emitNew()).catch(() => this.#release())
  }

  async stop(): Promise<void> {
    this.#stop()
    await this.#checking
  }

  async #emitNew(): Promise<void> {
    const { store, session, emitChanges } = this.#followed
    const id = session()
    const [held] = this.#held ?? []
    const upTo = held?.type === 'entry' ? held.entry.seq - 1 : undefined
    const { entries } = await store.entries(id, { from: this.#after + 1, upTo })
    // Stop if another session is open by now.
    if (session() !== id) return
    const news = entries.filter(({ seq }) => seq > this.#after)
    const waiting = this.#held ?? []
    this.#held = undefined
    if (news.length > 0) await emitChanges(news)
    this.#deliverAll(waiting)
  }

  /** Delivers the waiting events without the entries of other processes, which could not be read. */
  #release(): void {
    const waiting = this.#held ?? []
    this.#held = undefined
    this.#deliverAll(waiting)
  }

  #deliverAll(events: readonly PortEvent[]): void {
    for (const event of events) {
      if (event.type === 'entry') this.#after = Math.max(this.#after, event.entry.seq - 1)
      this.pass(event)
    }
  }
}
