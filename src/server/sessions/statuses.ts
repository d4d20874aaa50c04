import type { Seq } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import type { RunningSize } from '../../session/running-size.ts'
import type { Session, SessionId } from '../../store/store.ts'
import type { Status } from '../../tokens/status.ts'
import { measureOf, statusFor } from './measure.ts'
import type { Services } from './services.ts'

const MOST = 10_000

/** How full a session was at its last entry, and what an append needs to say it again. */
export type KnownStatus = Pick<Session, 'owner' | 'workspace' | 'lastSeq'> & {
  readonly status?: Status
  /** The size of the session without its view. */
  readonly size?: RunningSize
  /** The entry up to which a size was kept in the store. */
  readonly keptUpTo?: Seq
}

/**
 * How full sessions are. A cache: saves opening each session of a list whenever somebody looks at the list, and opening a session
 * for an append. Dropped when the session has grown otherwise, and after 10,000 others.
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
      const isCurrent = known?.lastSeq === lastSeq && known.status !== undefined
      const status = isCurrent ? known.status : await this.#measure(services, id, owner)
      found.push({ session_id: id, last_seq: lastSeq, status })
    }
    return found
  }

  get(id: SessionId): KnownStatus | undefined {
    return this.#known.get(id)
  }

  /** Two appends of this process may end in the other order: the later one counts. */
  note(id: SessionId, known: KnownStatus): void {
    if ((this.#known.get(id)?.lastSeq ?? 0) <= known.lastSeq) this.#known.set(id, known)
  }

  forget(id: SessionId): void {
    this.#known.delete(id)
  }

  async #measure(services: Services, id: SessionId, owner: string): Promise<Status> {
    const served = await services.sessions.peek(id, owner)
    const status = statusFor(await measureOf(services, served))
    const { workspace, lastSeq } = served.live.session
    this.note(id, { ...this.#known.get(id), owner, workspace, lastSeq, status })
    return status
  }
}
