import type { Agent, AgentEvent } from '../../agent/agent.ts'
import { dropPrepared } from '../../agent/compaction/compact-now.ts'
import type { AskPermission } from '../../agent/permissions/permission-gate.ts'
import type { WorkspaceFiles } from '../../agent/workspace-files.ts'
import { isAgentId } from '../../contract/shapes/agent-id.ts'
import type { WireContextHistory } from '../../contract/shapes/shapes.ts'
import type { View } from '../../model/types.ts'
import type { SpentMeter } from '../../session/account/spent-meter.ts'
import { LiveSession } from '../../session/live-session.ts'
import { LOCAL_OWNER, type Session, type SessionId, type Store } from '../../store/store.ts'
import { HttpError } from '../http/http-error.ts'

/** The history of a view with these settings. It is made again when one of the two has changed. */
type ViewHistory = { readonly view: View; readonly settings: string; readonly value: Promise<WireContextHistory> }

/** A session in the memory of this process: its view, and its agent once it has worked here. */
export class ServedSession {
  live: LiveSession
  agent: Agent | undefined
  opening: Promise<Agent> | undefined
  /** The current listener of the agent. */
  onEvent: (event: AgentEvent) => void = () => {}
  /** Counts the cost of its calls; made when somebody asks. */
  spent: SpentMeter | undefined
  /** How full it was over its life, for the last such request. */
  history: ViewHistory | undefined
  /** The files of its workspace; listed when somebody asks. */
  files: WorkspaceFiles | undefined
  /** Asks the reader of the turn for permission; undefined while nobody reads. */
  ask: AskPermission | undefined
  /** The agent's current name as a lease holder. */
  holder = ''

  constructor(live: LiveSession) {
    this.live = live
  }

  get id(): SessionId {
    return this.live.id
  }

  /** Ends the commands in the background, and drops a compaction that is being prepared. The view may be dropped after that. */
  async close(): Promise<void> {
    await this.agent?.deps.jobs?.close()
    if (this.agent !== undefined) await dropPrepared(this.agent, 'the server has closed the session')
  }
}

/** The sessions in memory; the least recently used one is dropped first. */
export class LiveSessions {
  readonly #store: Store
  readonly #most: number
  readonly #open = new Map<SessionId, Promise<ServedSession>>()

  constructor(store: Store, most: number) {
    this.#store = store
    this.#most = most
  }

  /** Opens a session of this owner and refreshes it; a session of another owner is unknown. */
  async open(id: SessionId, owner: string): Promise<ServedSession> {
    refuseStranger(id, owner)
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

  /** A session of this owner as the store lists it. Its entries are not read. */
  async listed(id: SessionId, owner: string): Promise<Session> {
    refuseStranger(id, owner)
    return ownSession(await this.#store.session(id), id, owner)
  }

  /** The session if it is in memory, as it is there: others may have appended more. */
  async held(id: SessionId): Promise<ServedSession | undefined> {
    return this.#open.get(id)
  }

  /** Opens a session for one read: it does not push another one out of memory. */
  async peek(id: SessionId, owner: string): Promise<ServedSession> {
    refuseStranger(id, owner)
    if (this.#open.has(id)) return this.open(id, owner)
    return ownedBy(new ServedSession(await LiveSession.open(this.#store, id)), id, owner)
  }

  forget(id: SessionId): void {
    const known = this.#open.get(id)
    this.#open.delete(id)
    // Nobody waits for this close, so there is nobody to report a failure to.
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

/** Only the owner of this machine may read its files. For others they are not even opened. */
function refuseStranger(id: SessionId, owner: string): void {
  if (isAgentId(id) && owner !== LOCAL_OWNER) throw unknownSession(id)
}

function ownedBy(served: ServedSession, id: SessionId, owner: string): ServedSession {
  ownSession(served.live.session, id, owner)
  return served
}

function ownSession(session: Session | undefined, id: SessionId, owner: string): Session {
  if (session?.owner === owner) return session
  throw unknownSession(id)
}

function unknownSession(id: SessionId): HttpError {
  return new HttpError(404, 'unknown-session', `there is no session ${id}`)
}
