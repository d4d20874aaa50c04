import type { Seq } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import type { SessionId } from '../../store/store.ts'
import type { Status } from '../../tokens/status.ts'
import { measureOf, statusFor } from './measure.ts'
import type { Services } from './services.ts'

const MOST = 5_000

type KnownStatus = { readonly lastSeq: Seq; readonly status: Status }

/**
 * How full the sessions of a list are. A cache: saves opening each session of a list whenever somebody looks at the list.
 * Dropped when the session has grown, and after 5,000 others.
 */
export class Statuses {
  readonly #known = new RecentMap<SessionId, KnownStatus>(MOST)

  /** The statuses of these sessions, in their order; sessions of another owner are left out. */
  async of(services: Services, ids: readonly SessionId[], owner: string) {
    const found = []
    for (const id of new Set(ids)) {
      const session = await services.store.session(id)
      if (session?.owner !== owner) continue
      const { lastSeq } = session
      const known = this.#known.get(id)
      const { status } = known?.lastSeq === lastSeq ? known : await this.#measure(services, id, owner)
      found.push({ session_id: id, last_seq: lastSeq, status })
    }
    return found
  }

  async #measure(services: Services, id: SessionId, owner: string): Promise<KnownStatus> {
    const served = await services.sessions.peek(id, owner)
    const status = statusFor(await measureOf(services, served))
    const known = { lastSeq: served.live.session.lastSeq, status }
    this.#known.set(id, known)
    return known
  }
}
