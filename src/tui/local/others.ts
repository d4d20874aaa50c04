import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { Opened, PortEvent } from '../port-data.ts'

/** The session that is followed, and how what was found is told. */
export type Followed = {
  readonly store: Store
  readonly session: () => SessionId
  /** While we work ourselves, what we tell of it comes first. */
  readonly isWorking: () => boolean
  readonly tell: (entries: readonly Entry[]) => Promise<void>
}

/** What other processes write into the session that is open here: each entry is told once, and never one of ours again. */
export class Others {
  readonly #followed: Followed
  readonly #stop: () => void
  #told = new Set<Seq>()
  #after: Seq = 0
  #look: Promise<void> = Promise.resolve()

  constructor(followed: Followed) {
    this.#followed = followed
    this.#stop = followed.store.subscribe(({ session }) => {
      if (session === followed.session()) this.look()
    })
  }

  /** Whether an event is news to the screen: everything but an entry that was told before. */
  isNews(event: PortEvent): boolean {
    if (event.type !== 'entry') return true
    if (this.#told.has(event.entry.seq)) return false
    this.#told.add(event.entry.seq)
    return true
  }

  /** A session was opened, and the screen shows it as it was then. */
  start({ entries }: Opened): void {
    this.#told = new Set()
    this.#after = entries.at(-1)?.seq ?? 0
  }

  /** Looks for what was written since, when nothing is done here. */
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
    // Another session may be open by now, and work that began meanwhile tells its own entries: the rest is looked for after it.
    if (session() !== id || isWorking()) return
    this.#after = entries.at(-1)?.seq ?? this.#after
    const news = entries.filter(({ seq }) => !this.#told.has(seq))
    if (news.length > 0) await tell(news)
  }
}
