import type { Agent } from '../../agent/agent.ts'
import { dropPrepared } from '../../agent/compaction/prepared-compaction.ts'
import type { AgentEvent } from '../../agent/events.ts'
import type { AskPermission } from '../../agent/permissions/permission-gate.ts'
import type { WorkspaceFiles } from '../../agent/workspace-files.ts'
import { LiveSession } from '../../session/live-session.ts'
import type { SpentMeter } from '../../session/spent-meter.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { HttpError } from '../http/http-error.ts'

/** A session that this process knows: its view in memory, and the agent that has worked in it here. */
export class ServedSession {
  live: LiveSession
  agent: Agent | undefined
  opening: Promise<Agent> | undefined
  /** Who hears the agent now. */
  onEvent: (event: AgentEvent) => void = () => {}
  /** What its calls have cost, as far as somebody asked. */
  spent: SpentMeter | undefined
  /** The files of its workspace, as far as somebody looked for one. */
  files: WorkspaceFiles | undefined
  /** Who is asked what tools may do, while somebody is there. */
  ask: AskPermission | undefined
  /** The name under which the agent holds the lease now. */
  holder = ''

  constructor(live: LiveSession) {
    this.live = live
  }

  get id(): SessionId {
    return this.live.id
  }

  /** Gives up what is being prepared for it. Its view may be dropped then. */
  async close(): Promise<void> {
    if (this.agent !== undefined) await dropPrepared(this.agent, 'the server has closed the session')
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

  /** The same for a look in passing: one that is not in memory does not take the place of another. */
  async peek(id: SessionId, owner: string): Promise<ServedSession> {
    if (this.#open.has(id)) return this.open(id, owner)
    return ownedBy(new ServedSession(await LiveSession.open(this.#store, id)), id, owner)
  }

  forget(id: SessionId): void {
    const known = this.#open.get(id)
    this.#open.delete(id)
    // Whoever closes it in passing waits for nothing; what it was to note is lost with a session that is gone.
    known?.then((served) => served.close()).catch(() => undefined)
  }

  /** Closes them all. */
  async close(): Promise<void> {
    const all = [...this.#open.values()]
    this.#open.clear()
    await Promise.allSettled(all.map(async (known) => (await known).close()))
  }

  #remember(id: SessionId): Promise<ServedSession> {
    const opening = LiveSession.open(this.#store, id).then((live) => new ServedSession(live))
    this.#open.set(id, opening)
    opening.catch(() => this.forget(id))
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= this.#most) break
      this.forget(oldest)
    }
    return opening
  }
}

function ownedBy(served: ServedSession, id: SessionId, owner: string): ServedSession {
  if (served.live.session.owner === owner) return served
  throw new HttpError(404, 'unknown-session', `there is no session ${id}`)
}
