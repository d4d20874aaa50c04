import { RecentMap } from '../../../model/values/recent-map.ts'
import { LiveSession } from '../../../session/live-session.ts'
import type { SessionId, Store } from '../../../store/store.ts'

/** Sessions that stay open. */
const MOST_SESSIONS = 50

/** The sessions that are open: those that were asked for last, each as the store has it now. */
export class LiveViews {
  readonly #store: Store
  readonly #sessions = new RecentMap<SessionId, LiveSession>(MOST_SESSIONS)

  constructor(store: Store) {
    this.#store = store
  }

  /** True for a session that is open. */
  has(id: SessionId): boolean {
    return this.#sessions.has(id)
  }

  async get(id: SessionId): Promise<LiveSession> {
    const known = this.#sessions.get(id)
    const live = known ?? (await LiveSession.open(this.#store, id))
    if (known !== undefined) await live.refresh()
    this.#sessions.set(id, live)
    return live
  }
}
