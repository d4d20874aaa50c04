import { createHash, randomUUID } from 'node:crypto'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Entry, Origin } from '../../model/types.ts'
import { appendAsWritten, withLessons, withoutGaps } from '../../session/import/import-session.ts'
import { type KnownModels, originOf } from '../../session/import/origin.ts'
import { agentTitle } from '../../session/session-title.ts'
import { openStore } from '../../store/open-store.ts'
import type { LogChange, SessionId, Store } from '../../store/store.ts'
import { LOCAL_OWNER } from '../access/tokens.ts'
import type { AgentFiles, AgentSessionFile } from './agent-files.ts'

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
