import { join, resolve } from 'node:path'
import type { AgentEvent } from '../../agent/events.ts'
import { WorkspaceFiles } from '../../agent/workspace-files.ts'
import type { Settings } from '../../config/tables/settings.ts'
import { exportSession } from '../../session/export-session.ts'
import { writeExport } from '../port/export-file.ts'
import type { Port, PortEvent, SessionsPort, WorkPort } from '../port/port.ts'
import { exportName } from '../port/session-names.ts'
import { localContext } from './local-context.ts'
import { LocalMcp } from './local-mcp.ts'
import { LocalRewind } from './local-rewind.ts'
import { LocalSessions } from './local-sessions.ts'
import { localSettings } from './local-settings.ts'
import { type LocalOptions, type LocalSetup, localSetup } from './local-setup.ts'
import { LocalWork } from './local-work.ts'
import { OpenQuestions } from './open-questions.ts'
import { OtherWriters } from './other-writers.ts'

/** A session on this machine, and the terminal settings of its user. `first`: a command to run now, for a session of another folder. */
export async function openLocalPort(
  options: LocalOptions,
): Promise<{ port: Port; first?: string | undefined } & Pick<Settings, 'theme' | 'notify'>> {
  const setup = await localSetup(options)
  const listeners = new Set<(event: PortEvent) => void>()
  const emit = (event: PortEvent) => others.pass(event)
  const questions = new OpenQuestions(emit)
  const onEvent = (event: AgentEvent) => work.forward(event)
  const sessions = await LocalSessions.open(setup, options.open, { questions, emit, onEvent })
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
    },
  })
  const rewind = new LocalRewind(setup, sessions)
  const context = localContext(setup, sessions)
  const port = {
    ...localWork({ setup, sessions, work, others, questions, listeners, mcp }),
    ...context,
    // One undo for files and context: it undoes whichever changed last.
    undo: async () => (await rewind.takeBack()) ?? context.undo(),
    rewindReport: rewind.rewindReport,
    rewind: rewind.rewind,
    mcp: mcp.mcp,
    restartMcp: mcp.restartMcp,
    trustMcp: mcp.trustMcp,
    ...localSettings(setup, sessions, emit),
    ...localSessions(setup, sessions),
  }
  const { theme, notify } = setup.config.settings
  return { port, theme, notify, first: sessions.elsewhere && `/resume ${sessions.elsewhere}` }
}

type LocalParts = {
  readonly setup: LocalSetup
  readonly sessions: LocalSessions
  readonly work: LocalWork
  readonly others: OtherWriters
  readonly questions: OpenQuestions
  readonly listeners: Set<(event: PortEvent) => void>
  readonly mcp: LocalMcp
}

function localWork({ setup, sessions, work, others, questions, listeners, mcp }: LocalParts): WorkPort {
  const files = new WorkspaceFiles(setup.config.workspace)
  return {
    subscribe(listener) {
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
    shell: (command, where) => work.shell(command, where),
    compact: (focus) => work.compact(focus),
    interrupt: () => work.interrupt(),
    answer: async (id, answer) => questions.answer(id, answer),
    files: (query) => files.find(query),
    close: async () => {
      await work.stop()
      await mcp.close()
      await others.stop()
      await sessions.close()
    },
  }
}

function localSessions({ store, config, folders }: LocalSetup, sessions: LocalSessions): SessionsPort {
  return {
    sessions: () => sessions.list(),
    openSession: (id) => sessions.openNamed(id),
    forkHere: (id) => sessions.forkHere(id),
    newSession: () => sessions.create(),
    fork: (before) => sessions.fork(before),
    openExample: () => sessions.example(),
    rename: (title) => sessions.rename(title),
    exportTo: (path) => {
      const { id } = sessions.current.agent.live
      return writeExport(
        // Not into the workspace, because the next `git add` would add it.
        path === undefined
          ? { path: join(folders.data, 'exports', exportName(id)), folder: 'own' }
          : { path: resolve(config.workspace, path), folder: 'named' },
        withLineEnds(exportSession(store, id, 'leave-out')),
      )
    },
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`
}
