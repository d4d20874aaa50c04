import { createHash, randomUUID } from 'node:crypto'
import { isAgentId } from '../../contract/shapes/agent-id.ts'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Entry, Origin } from '../../model/types.ts'
import type { IndexedSessions } from '../../search/indexed-sessions.ts'
import { appendAsWritten, withLessons, withoutGaps } from '../../session/import/import-session.ts'
import { type KnownModels, originOf } from '../../session/import/origin.ts'
import { agentTitle } from '../../session/session-title.ts'
import { openStore } from '../../store/open-store.ts'
import { LOCAL_OWNER, type LogChange, type SessionId, type Store } from '../../store/store.ts'

/** A session of an agent that is held in memory. */
type MirroredSession = {
  readonly stamp: string
  readonly marks: readonly string[]
  readonly origin: Origin | undefined
  /** It is not read again before this time: a large file that grows all the time must not keep the process busy. */
  readonly nextReadAt: number
}

/** How many sessions of agents are held in memory; the least recently used one is dropped first. */
const MOST_SESSIONS = 8
/** An answer that an agent is still writing is shown when its file has not changed for this time. */
const GROWING_MS = 1_500
const POLL_MS = 1_000
/** After a read, the next one waits this many times as long as the read took. */
const READ_SHARE = 10

/**
 * Sessions of other agents as a store that can only be read: each is read from its agent's files when somebody asks, and
 * again when it has grown. They belong to the owner of this machine.
 */
export class AgentSessions {
  readonly #files: AgentFiles
  readonly #models: KnownModels
  readonly #known = new Map<SessionId, MirroredSession>()
  readonly #listeners = new Set<(change: LogChange) => void>()
  #store: Promise<Store> | undefined
  #timer: NodeJS.Timeout | undefined
  #nextId: SessionId | undefined
  /** The id of the next row is set before it is written, so only one session is read at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(files: AgentFiles, known: KnownModels) {
    this.#files = files
    this.#models = known
  }

  /** The store that has the session as its agent wrote it until now. */
  async storeOf(id: SessionId): Promise<Store> {
    const reading = this.#last.then(() => this.#refresh(id))
    this.#last = reading.catch(() => undefined)
    await reading
    return this.#opened()
  }

  /** The origin of a session. It is not in the log, because the agent may continue the session. */
  originOf(id: SessionId): Origin | undefined {
    return this.#known.get(id)?.origin
  }

  /** Calls the listener when a session in memory has grown. The files are polled only while there is a listener. */
  subscribe(listener: (change: LogChange) => void): () => void {
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#poll(), POLL_MS).unref()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  async close(): Promise<void> {
    this.#stop()
    await this.#last
    await (await this.#store)?.close()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #poll(): Promise<void> {
    for (const id of [...this.#known.keys()]) await this.storeOf(id).catch(() => this.#forget(id))
  }

  #opened(): Promise<Store> {
    this.#store ??= openStore(':memory:', {
      ids: () => {
        const id = this.#nextId ?? randomUUID()
        this.#nextId = undefined
        return id
      },
      clock: Date.now,
    }).then((store) => {
      store.subscribe((change) => {
        for (const listener of this.#listeners) listener(change)
      })
      return store
    })
    return this.#store
  }

  async #refresh(id: SessionId): Promise<void> {
    const file = this.#files.find(id)
    if (file === undefined) throw new PithError('unknown-session', `there is no session ${id}`)
    const known = this.#known.get(id)
    const stamp = file.stamp()
    if (known !== undefined) {
      this.#known.delete(id)
      this.#known.set(id, known)
      if (known.stamp === stamp || Date.now() < known.nextReadAt) return
    }
    const start = Date.now()
    const session = await file.read()
    const { entries, isWhole } = withoutGrowing(withLessons(session.entries), file)
    const marks = entries.map(markOf)
    await this.#write(id, { ...session, entries }, marks, known)
    const nextReadAt = Date.now() + (Date.now() - start) * READ_SHARE
    this.#known.set(id, { stamp: isWhole ? stamp : '', marks, origin: originOf(session, this.#models), nextReadAt })
    await this.#dropOldest()
  }

  /** Appends the new entries. If the agent has changed earlier ones, as after a rewind, the session is written again. */
  async #write(
    id: SessionId,
    session: DecodedSession,
    marks: readonly string[],
    known: MirroredSession | undefined,
  ): Promise<void> {
    const store = await this.#opened()
    const isLonger = known?.marks.every((mark, i) => mark === marks[i]) === true
    if (known !== undefined && isLonger) {
      const after = (await store.session(id))?.lastSeq ?? 0
      return appendAsWritten(store, id, withoutGaps(session.entries.slice(known.marks.length), after))
    }
    if (known !== undefined) await store.deleteSession(id)
    this.#nextId = id
    await store.createSession({
      owner: LOCAL_OWNER,
      workspace: session.workspace ?? '',
      title: agentTitle(session),
      createdAt: session.startedAt ?? session.entries[0]?.at ?? 0,
    })
    await appendAsWritten(store, id, withoutGaps(session.entries))
  }

  async #dropOldest(): Promise<void> {
    for (const oldest of [...this.#known.keys()].slice(0, -MOST_SESSIONS)) await this.#forget(oldest)
  }

  async #forget(id: SessionId): Promise<void> {
    if (!this.#known.delete(id)) return
    await (await this.#opened()).deleteSession(id).catch(() => undefined)
  }
}

/** Without an answer at the end that may still grow. */
function withoutGrowing(
  entries: readonly Entry[],
  file: AgentSessionFile,
): { entries: readonly Entry[]; isWhole: boolean } {
  const last = entries.at(-1)
  const isOpen =
    last?.type === 'message' && last.message.role === 'assistant' && Date.now() - file.changedAt() < GROWING_MS
  return { entries: isOpen ? entries.slice(0, -1) : entries, isWhole: !isOpen }
}

function markOf(entry: Entry): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('base64')
}

/** The sessions of other agents on this machine, as the program that runs the server finds them. Nothing is written to them. */
export type AgentFiles = {
  /** The newest of them that are not in the store, too. Each is read once, and again after it has changed. */
  list(limit: number, store: Store): Promise<readonly AgentSessionFacts[]>
  /** One of them by the id of the list. */
  find(id: string): AgentSessionFile | undefined
  /** Those that pass the filter and are not in the store, too, to search in together with it. Files that have changed are indexed first, for a moment. */
  searched?(store: Store, filter: AgentFilter): Promise<SearchedAgents>
  close?(): Promise<void>
}

export type AgentFilter = { readonly agent?: string; readonly folder?: string }

export type SearchedAgents = {
  readonly place: IndexedSessions
  /** How many files are not indexed yet. Their indexing continues. */
  readonly left: number
  /** The names of a hit's session. */
  names(id: SessionId): Pick<AgentSessionFacts, 'agent' | 'title'> | undefined
}

/** The facts of a session for a list. */
export type AgentSessionFacts = {
  /** Begins with `agent:`. */
  readonly id: string
  /** The program that wrote it, by its own name. */
  readonly agent: string
  readonly title?: string
  readonly workspace?: string
  readonly updatedAt: number
  readonly messages: number
  readonly compactions: number
  readonly model?: string
  readonly tokens: number
  readonly window?: number
  /** The window is not known, but assumed. */
  readonly assumed?: true
}

/** A session of an agent, not read yet. */
export type AgentSessionFile = {
  /** Differs whenever the session has changed. */
  stamp(): string
  /** Milliseconds since 1970. */
  changedAt(): number
  read(): Promise<DecodedSession>
}

/** A store that also has the sessions of other agents, by their ids. They can be read and searched, but not changed. */
export function storeWithAgents(own: Store, agents: Pick<AgentSessions, 'storeOf' | 'subscribe'>): Store {
  const of = async (id: SessionId): Promise<Store> => (isAgentId(id) ? agents.storeOf(id) : own)
  const owned = async (id: SessionId): Promise<Store> => {
    if (isAgentId(id)) throw new PithError('not-allowed', READ_ONLY)
    return own
  }
  return {
    ...own,
    session: async (id) => (await of(id)).session(id),
    entries: async (id, query) => (await of(id)).entries(id, query),
    appended: async (id, key) => (await of(id)).appended(id, key),
    summaries: async (id, revision) => (await of(id)).summaries(id, revision),
    keepSummaries: async (id, revision, kept) => (await of(id)).keepSummaries(id, revision, kept),
    search: async (query) => (await of(query.session ?? '')).search(query),
    subscribe: (listener) => {
      const stops = [own.subscribe(listener), agents.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    createSession: async (draft) => (await owned(draft.parent?.id ?? '')).createSession(draft),
    renameSession: async (id, title) => (await owned(id)).renameSession(id, title),
    deleteSession: async (id) => (await owned(id)).deleteSession(id),
    append: async (id, drafts, options) => (await owned(id)).append(id, drafts, options),
    redact: async (id, seqs) => (await owned(id)).redact(id, seqs),
    markChain: async (id, marks, holder) => (await owned(id)).markChain(id, marks, holder),
    acquireLease: async (id, holder, ttlMs) => (await owned(id)).acquireLease(id, holder, ttlMs),
    releaseLease: async (id, token) => (await owned(id)).releaseLease(id, token),
    pauseAppends: async (id, ms) => (await owned(id)).pauseAppends(id, ms),
    resumeAppends: async (id, token) => (await owned(id)).resumeAppends(id, token),
  }
}

const READ_ONLY =
  'a session of another agent can only be read here: pith import takes it over, pith handoff passes it to another agent'
