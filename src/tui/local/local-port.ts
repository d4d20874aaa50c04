import type { Agent, AgentEvent } from '../../agent/agent.ts'
import { WorkspaceFiles } from '../../agent/workspace-files.ts'
import type { Settings } from '../../config/tables/settings.ts'
import type { Entry, Seq, UserPart } from '../../model/types.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { OpenedSession, OwnCommandRow, Port, PortEvent, SessionsPort } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { localContext } from './local-context.ts'
import { localJobs, localJobsPort } from './local-jobs.ts'
import { LocalMcp } from './local-mcp.ts'
import { LocalRewind } from './local-rewind.ts'
import { permissionsText } from './local-session.ts'
import { type LocalOptions, LocalSessions, localSetup } from './local-sessions.ts'
import { localSettings } from './local-settings.ts'
import { LocalWork } from './local-work.ts'
import { OpenQuestions } from './open-questions.ts'

type OpenedPort = {
  readonly port: Port
  readonly first?: string | undefined
  /** As `say`, with what an editor puts beside the text: contents of files and images. */
  readonly sayWith: (text: string, attached: readonly UserPart[]) => Promise<void>
  /** The log of the open session up to an entry, in parts. No part ends between a call and its results. */
  readonly history: (upTo: Seq) => AsyncIterable<readonly Entry[]>
}

/** A session on this machine, and the terminal settings of its user. `first`: a command to run now, for a session of another folder. */
export async function openLocalPort(options: LocalOptions): Promise<OpenedPort & Pick<Settings, 'theme' | 'notify'>> {
  const setup = await localSetup(options)
  const listeners = new Set<(event: PortEvent) => void>()
  const emit = (event: PortEvent) => others.pass(event)
  const questions = new OpenQuestions(emit)
  const onEvent = (event: AgentEvent) => work.forward(event)
  const jobs = localJobs(setup, emit)
  const sessions = await LocalSessions.open(setup, options.open, { questions, emit, onEvent, jobs })
  const mcp = new LocalMcp({ setup, sessions, questions, emit })
  const work = new LocalWork(sessions, { emit, equip: (signal) => mcp.equip(signal) })
  const others = new OtherWriters({
    store: setup.store,
    session: () => sessions.current.agent.live.id,
    emitChanges: (entries) => sessions.emitChanges(entries),
    deliver: (event) => {
      if (event.type === 'entry') sessions.spent.add(event.entry)
      const current = event.type === 'status' ? sessions.status() : event
      for (const listener of listeners) listener(current)
      if (event.type === 'entry' && event.entry.type === 'settings' && event.entry.planning !== undefined) {
        const { agent, gate } = sessions.current
        emit({ type: 'permissions', mode: permissionsText(gate.mode, agent) })
      }
    },
  })
  const rewind = new LocalRewind(setup, sessions)
  const context = localContext(setup, sessions)
  const files = new WorkspaceFiles(setup.config.workspace)
  const port: Port = {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    opened: async () => {
      const opened = await sessions.opened()
      others.start(opened)
      // Start them after the answer, so that the first screen does not wait for servers.
      setImmediate(() => mcp.start())
      return opened
    },
    say: (text) => work.say(text),
    steer: (text) => work.steer(text),
    shell: (command, exit) => work.shell(command, exit),
    compact: (focus) => work.compact(focus),
    interrupt: () => work.interrupt(),
    answer: async (id, answer) => questions.answer(id, answer),
    ownCommands: async () => ownCommandRows(sessions.current.agent),
    files: (query) => files.find(query),
    typed: () => sessions.typed(),
    close: async () => {
      await work.stop()
      await jobs.close()
      await mcp.close()
      await others.stop()
      await sessions.close()
    },
    ...context,
    // One undo for files and context: it undoes whichever changed last.
    undo: async () => (await rewind.takeBack()) ?? context.undo(),
    redo: async () => (await rewind.redo()) ?? context.redo(),
    rewindReport: rewind.rewindReport,
    rewind: rewind.rewind,
    mcp: mcp.mcp,
    trustMcp: mcp.trustMcp,
    ...localJobsPort(jobs, setup.clock ?? Date.now),
    ...localSettings(setup, sessions, emit),
    ...localSessions(sessions),
  }
  const { theme, notify } = setup.config.settings
  const sayWith: OpenedPort['sayWith'] = (text, attached) => work.say(text, attached)
  const history: OpenedPort['history'] = (upTo) => logInParts(setup.store, sessions.current.agent.live.id, upTo)
  return { port, theme, notify, sayWith, history, first: sessions.elsewhere && `/resume ${sessions.elsewhere}` }
}

const PART_ENTRIES = 200

async function* logInParts(store: Store, id: SessionId, upTo: Seq): AsyncGenerator<readonly Entry[]> {
  let rest: readonly Entry[] = []
  for (let from = 1; from <= upTo; from += PART_ENTRIES) {
    const { entries } = await store.entries(id, { from, upTo: Math.min(upTo, from + PART_ENTRIES - 1) })
    const read = [...rest, ...entries]
    // Results come before the next message of the agent or the user.
    const whole = Math.max(
      0,
      read.findLastIndex((entry) => entry.type === 'message' && entry.message.role !== 'tool'),
    )
    yield read.slice(0, whole)
    rest = read.slice(whole)
  }
  yield rest
}

function ownCommandRows({ deps }: Agent): OwnCommandRow[] {
  const found = deps.prompts?.files().files ?? []
  return found
    .filter(({ forUser }) => forUser)
    .map(({ name, takes, about, shown, hiddenBy }) => ({
      name,
      takes: takes && safeText(takes),
      about: safeText(about),
      source: safeText(shown),
      hiddenBy: hiddenBy && safeText(hiddenBy),
    }))
}

function localSessions(sessions: LocalSessions): SessionsPort {
  return {
    sessions: () => sessions.list(),
    openSession: (id) => sessions.openNamed(id),
    forkHere: (id) => sessions.forkHere(id),
    newSession: () => sessions.create(),
    fork: (before) => sessions.fork(before),
    openExample: () => sessions.example(),
    rename: (title) => sessions.rename(title),
  }
}

type FollowedSession = {
  readonly store: Store
  readonly session: () => SessionId
  /** Takes over entries of other processes, and emits them as events. */
  readonly emitChanges: (entries: readonly Entry[]) => Promise<void>
  readonly deliver: (event: PortEvent) => void
}

/** Merges our own events and the entries of other processes in the order of the log. Each entry is emitted once. */
export class OtherWriters {
  readonly #followed: FollowedSession
  readonly #stop: () => void
  /** The last entry that was emitted. */
  #after: Seq = 0
  /** Events that wait for entries of other processes that come before them in the log. */
  #held: PortEvent[] | undefined
  #checking: Promise<void> = Promise.resolve()

  constructor(followed: FollowedSession) {
    this.#followed = followed
    this.#stop = followed.store.subscribe(({ session }) => {
      if (session === followed.session()) this.check()
    })
  }

  /** Delivers an event, after the entries that come before it. */
  pass(event: PortEvent): void {
    if (event.type === 'opened') this.start(event.opened)
    if (this.#held !== undefined) return void this.#held.push(event)
    if (event.type !== 'entry') return this.#followed.deliver(event)
    const { seq } = event.entry
    if (seq <= this.#after) return
    if (seq > this.#after + 1) {
      this.#held = [event]
      return this.check()
    }
    this.#after = seq
    this.#followed.deliver(event)
  }

  /** Starts over with a session that the screen is about to show. */
  start({ entries }: OpenedSession): void {
    this.#held = undefined
    this.#after = entries.at(-1)?.seq ?? 0
  }

  /** Emits new entries of other processes. */
  check(): void {
    this.#checking = this.#checking.then(() => this.#emitNew()).catch(() => this.#release())
  }

  async stop(): Promise<void> {
    this.#stop()
    await this.#checking
  }

  async #emitNew(): Promise<void> {
    const { store, session, emitChanges } = this.#followed
    const id = session()
    const [held] = this.#held ?? []
    const upTo = held?.type === 'entry' ? held.entry.seq - 1 : undefined
    const { entries } = await store.entries(id, { from: this.#after + 1, upTo })
    // Stop if another session is open by now.
    if (session() !== id) return
    const news = entries.filter(({ seq }) => seq > this.#after)
    const waiting = this.#held ?? []
    this.#held = undefined
    if (news.length > 0) await emitChanges(news)
    this.#deliverAll(waiting)
  }

  /** Delivers the waiting events without the entries of other processes, which could not be read. */
  #release(): void {
    const waiting = this.#held ?? []
    this.#held = undefined
    this.#deliverAll(waiting)
  }

  #deliverAll(events: readonly PortEvent[]): void {
    for (const event of events) {
      if (event.type === 'entry') this.#after = Math.max(this.#after, event.entry.seq - 1)
      this.pass(event)
    }
  }
}
