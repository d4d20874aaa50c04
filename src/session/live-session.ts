import { extendView } from '../engine/view.ts'
import type { Entry, EntryDraft } from '../model/entry.ts'
import type { View } from '../model/view.ts'
import type { Session, SessionId, Store } from '../store/store.ts'
import { type OpenSession, openSession } from './open-session.ts'

/** A session that somebody works in: its log and view in memory, kept up with what this and other processes append. */
export class LiveSession {
  readonly store: Store
  readonly id: SessionId
  #open: OpenSession
  #log: Entry[]
  /** One change of what is in memory after the other: results of calls that run at once come in at once. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(store: Store, open: OpenSession) {
    this.store = store
    this.id = open.session.id
    this.#open = open
    this.#log = [...open.log]
  }

  /** Opens a session; what no provider would take is repaired first. */
  static async open(store: Store, id: SessionId): Promise<LiveSession> {
    return new LiveSession(store, await openSession(store, id))
  }

  get session(): Session {
    return this.#open.session
  }

  get view(): View {
    return this.#open.view
  }

  /** As much of the log as the view needs. */
  get log(): readonly Entry[] {
    return this.#log
  }

  get bad(): OpenSession['bad'] {
    return this.#open.bad
  }

  /** Appends, whatever others have appended meanwhile. */
  append(drafts: readonly EntryDraft[]): Promise<readonly Entry[]> {
    return this.#inTurn(async () => {
      const appended = await this.store.append(this.id, drafts)
      if (!appended.ok) throw new Error('unreachable: an append without conditions is not refused')
      const { entries } = appended
      if (entries[0]?.seq === this.session.lastSeq + 1) await this.#take(entries)
      else await this.#catchUp()
      return entries
    })
  }

  /** Takes over what was appended since, by whomever. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#catchUp())
  }

  /** Reads the session again. */
  reopen(): Promise<void> {
    return this.#inTurn(() => this.#readAgain())
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async #catchUp(): Promise<void> {
    const { entries, bad } = await this.store.entries(this.id, { from: this.session.lastSeq + 1 })
    if (bad.length > 0) await this.#readAgain()
    else if (entries.length > 0) await this.#take(entries)
  }

  async #readAgain(): Promise<void> {
    this.#open = await openSession(this.store, this.id)
    this.#log = [...this.#open.log]
  }

  async #take(entries: readonly Entry[]): Promise<void> {
    // What an undo or a redaction gives back or takes away is not in this part of the log.
    if (!entries.every(onlyAdds)) return this.#readAgain()
    for (const entry of entries) {
      this.#log.push(entry)
      const { session, view } = this.#open
      const title = entry.type === 'settings' && entry.title !== undefined ? { title: entry.title } : {}
      this.#open = {
        ...this.#open,
        session: { ...session, ...title, lastSeq: entry.seq, updatedAt: entry.at },
        view: extendView(view, entry, this.#log),
      }
    }
  }
}

function onlyAdds({ type }: Entry): boolean {
  return type === 'message' || type === 'settings' || type === 'todo' || type === 'attempt'
}
