import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { OpenedSession, PortEvent } from '../port/port-data.ts'

/** The session to follow, and where its news go. */
export type FollowedSession = {
  readonly store: Store
  readonly session: () => SessionId
  /** True while this process works in the session: its own events come first then. */
  readonly isWorking: () => boolean
  readonly tell: (entries: readonly Entry[]) => Promise<void>
}

/** Finds what other processes write into the open session. Each entry is told once, and our own are not told again. */
export class OtherWriters {
  readonly #followed: FollowedSession
  readonly #stop: () => void
  #told = new Set<Seq>()
  #after: Seq = 0
  #look: Promise<void> = Promise.resolve()

  constructor(followed: FollowedSession) {
    this.#followed = followed
    this.#stop = followed.store.subscribe(({ session }) => {
      if (session === followed.session()) this.look()
    })
  }

  /** True unless the event is an entry that was told before. */
  isNews(event: PortEvent): boolean {
    if (event.type !== 'entry') return true
    if (this.#told.has(event.entry.seq)) return false
    this.#told.add(event.entry.seq)
    return true
  }

  /** Starts over with a session that the screen has just shown. */
  start({ entries }: OpenedSession): void {
    this.#told = new Set()
    this.#after = entries.at(-1)?.seq ?? 0
  }

  /** Looks for new entries, unless this process is working. */
  look(): void {
    this.#look = this.#look.then(() => this.#tellNew()).catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stop()
    await this.#look
  }

  async #tellNew(): Promise<void> {
    const { store, session, isWorking, tell } = this.#followed
    if (isWorking()) return
    const id = session()
    const { entries } = await store.entries(id, { from: this.#after + 1 })
    // Stop if another session is open by now, or if work has begun: it tells its own entries, and the rest is found after it.
    if (session() !== id || isWorking()) return
    this.#after = entries.at(-1)?.seq ?? this.#after
    const news = entries.filter(({ seq }) => !this.#told.has(seq))
    if (news.length > 0) await tell(news)
  }
}
