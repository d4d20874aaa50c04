import type { Agent } from '../agent/agent.ts'
import type { AgentEvent } from '../agent/events.ts'
import { LiveSession } from '../session/live-session.ts'
import type { SessionId, Store } from '../store/store.ts'
import { HttpError } from './http-error.ts'

/** A session that this process knows: its view in memory, and the agent that has worked in it here. */
export class ServedSession {
  live: LiveSession
  agent: Agent | undefined
  /** Who hears the agent now. */
  onEvent: (event: AgentEvent) => void = () => {}
  /** The name under which the agent holds the lease now. */
  holder = ''

  constructor(live: LiveSession) {
    this.live = live
  }

  get id(): SessionId {
    return this.live.id
  }
}

/** The sessions whose view is in memory, the least recently used goes first. */
export class LiveSessions {
  readonly #store: Store
  readonly #most: number
  readonly #open = new Map<SessionId, Promise<ServedSession>>()

  constructor(store: Store, most: number) {
    this.#store = store
    this.#most = most
  }

  /** A session as it is now, if it belongs to this owner; that of another owner does not exist. */
  async open(id: SessionId, owner: string): Promise<ServedSession> {
    const known = this.#open.get(id)
    if (known === undefined) return ownedBy(await this.#remember(id), id, owner)
    this.#open.delete(id)
    this.#open.set(id, known)
    const served = ownedBy(await known, id, owner)
    try {
      await served.live.refresh()
    } catch (error) {
      this.forget(id)
      throw error
    }
    return served
  }

  forget(id: SessionId): void {
    this.#open.delete(id)
  }

  #remember(id: SessionId): Promise<ServedSession> {
    const opening = LiveSession.open(this.#store, id).then((live) => new ServedSession(live))
    this.#open.set(id, opening)
    opening.catch(() => this.forget(id))
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= this.#most) break
      this.#open.delete(oldest)
    }
    return opening
  }
}

function ownedBy(served: ServedSession, id: SessionId, owner: string): ServedSession {
  if (served.live.session.owner === owner) return served
  throw new HttpError(404, 'unknown-session', `there is no session ${id}`)
}
