import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { OpenedSession, PortEvent } from '../port/port.ts'

/** The session to follow, and where its news go. */
export type FollowedSession = {
  readonly store: Store
  readonly session: () => SessionId
  /** Takes over entries of other processes, and passes them on as events. */
  readonly tell: (entries: readonly Entry[]) => Promise<void>
  readonly deliver: (event: PortEvent) => void
}

/** Brings our own events and what other processes write into the open session into one order: that of the log. Each entry is told once. */
export class OtherWriters {
  readonly #followed: FollowedSession
  readonly #stop: () => void
  /** The last entry that was told. */
  #after: Seq = 0
  /** Events that wait for entries of others, which come before them in the log. */
  #held: PortEvent[] | undefined
  #look: Promise<void> = Promise.resolve()

  constructor(followed: FollowedSession) {
    this.#followed = followed
    this.#stop = followed.store.subscribe(({ session }) => {
      if (session === followed.session()) this.look()
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
      return this.look()
    }
    this.#after = seq
    this.#followed.deliver(event)
  }

  /** Starts over with a session that the screen is about to show. */
  start({ entries }: OpenedSession): void {
    this.#held = undefined
    this.#after = entries.at(-1)?.seq ?? 0
  }

  /** Looks for entries that were not told. */
  look(): void {
    this.#look = this.#look.then(() => this.#tellNew()).catch(() => this.#release())
  }

  async stop(): Promise<void> {
    this.#stop()
    await this.#look
  }

  async #tellNew(): Promise<void> {
    const { store, session, tell } = this.#followed
    const id = session()
    const [held] = this.#held ?? []
    const upTo = held?.type === 'entry' ? held.entry.seq - 1 : undefined
    const { entries } = await store.entries(id, { from: this.#after + 1, upTo })
    // Stop if another session is open by now.
    if (session() !== id) return
    const news = entries.filter(({ seq }) => seq > this.#after)
    const waiting = this.#held ?? []
    this.#held = undefined
    if (news.length > 0) await tell(news)
    this.#deliverAll(waiting)
  }

  /** Without the entries of others rather than not at all. */
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
