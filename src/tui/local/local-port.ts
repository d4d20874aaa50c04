import { plannedCompaction } from '../../agent/compaction/planned-compaction.ts'
import { switchModel } from '../../agent/compaction/switch-model.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { PERMISSION_MODES } from '../../agent/permissions/index.ts'
import { WorkspaceFiles } from '../../agent/workspace-files.ts'
import { changesView } from '../../engine/view/view-of.ts'
import type { Entry } from '../../model/entry.ts'
import { stateOf } from '../../session/session-state.ts'
import { redo, type UndoResult, undo } from '../../session/undo.ts'
import { editSummary, pin, unpin } from '../../session/user-changes.ts'
import type { Port } from '../port.ts'
import type { Done, PortEvent } from '../port-data.ts'
import { setPolicyValue } from './changes.ts'
import { contextReport } from './context-report.ts'
import { exportLog } from './export-log.ts'
import { LocalWork, portEvents } from './local-work.ts'
import { modelFor } from './model-for.ts'
import { modelRows } from './model-rows.ts'
import { shownModel } from './open-session.ts'
import { Others } from './others.ts'
import { policyReport } from './policy-report.ts'
import { previewReport, Questions } from './questions.ts'
import { findInLog } from './recall.ts'
import { LocalSessions } from './sessions.ts'
import { type LocalOptions, localSetup } from './setup.ts'
import { summaryReport } from './summary-report.ts'

/** A session on this machine, and the theme that its user wants. */
export async function openLocalPort(options: LocalOptions): Promise<{ port: Port; theme: string }> {
  const setup = await localSetup(options)
  const listeners = new Set<(event: PortEvent) => void>()
  const emit = (event: PortEvent) => {
    if (event.type === 'opened') others.start(event.opened)
    if (!others.isNews(event)) return
    for (const listener of listeners) listener(event)
  }
  const questions = new Questions(emit)
  const sessions = await LocalSessions.open(setup, options.open, { questions, onEvent, emit })
  const files = new WorkspaceFiles(setup.config.workspace)
  const work = new LocalWork(sessions, emit, () => others.look())
  const others = new Others({
    store: setup.store,
    session: () => live().id,
    isWorking: () => work.isWorking,
    tell: toldByOthers,
  })

  function onEvent(event: AgentEvent): void {
    if (event.type === 'entry') sessions.spent.add(event.entry)
    if (event.type === 'compaction-ended') for (const entry of event.result.entries) sessions.spent.add(entry)
    for (const told of portEvents(event)) emit(told)
    if (event.type === 'status') tellStatus()
  }

  function tellStatus(): void {
    emit(sessions.status())
  }

  /** Something changed the view, outside of a turn. */
  async function changed(entry: Entry): Promise<void> {
    await tellChanges([entry])
  }

  async function toldByOthers(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) sessions.spent.add(entry)
    await tellChanges(entries)
  }

  async function tellChanges(entries: readonly Entry[]): Promise<void> {
    const { agent } = sessions.current
    await agent.live.refresh()
    if (entries.some(changesView)) {
      agent.lastCall = undefined
    }
    for (const entry of entries) {
      if (entry.type === 'settings' && entry.title !== undefined) emit({ type: 'title', title: entry.title })
      emit({ type: 'entry', entry })
    }
    tellStatus()
  }

  async function undone(result: UndoResult): Promise<Done> {
    if (!result.ok) return { ok: false, text: result.reason }
    await changed(result.entry)
    return { ok: true, text: '' }
  }

  const { store, config } = setup
  const live = () => sessions.current.agent.live
  const port: Port = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    opened: async () => {
      const opened = await sessions.opened()
      others.start(opened)
      return opened
    },
    say: (text) => work.say(text),
    compact: (focus) => work.compact(focus),
    interrupt: async () => work.interrupt(),
    answer: async (id, answer) => questions.answer(id, answer),
    undo: async () => undone(await undo(store, live().id)),
    redo: async () => undone(await redo(store, live().id)),
    preview: async () => previewReport(plannedCompaction(sessions.current.agent, { reason: 'manual' })),
    context: async () => {
      const { agent } = sessions.current
      await agent.deps.fixed.refresh(live().session.lastSeq)
      return contextReport(agent, shownModel(agent), policyReport(config, agent))
    },
    summary: async () => summaryReport(live()),
    editSummary: async (seq, text) => {
      await changed(await editSummary(store, live().id, seq, text))
      return SILENT
    },
    recall: (text) => findInLog(store, live().id, text),
    pin: async (seq, on) => {
      await changed(await (on ? pin : unpin)(store, live().id, seq))
      return SILENT
    },
    redact: async (seq) => {
      await changed(await store.redact(live().id, seq))
      return SILENT
    },
    todos: async () => stateOf(live()).todos,
    spent: async () => {
      await sessions.spent.read(store, live().id)
      return sessions.spent.report
    },
    models: () => modelRows(setup),
    setModel: async (name) => {
      const { model, why } = await modelFor(setup, name)
      if (why !== undefined) return { ok: false, text: why }
      const switched = await switchModel(sessions.current.agent, model, new AbortController().signal)
      if (!switched.ok) return { ok: false, text: switched.reason }
      sessions.current.noModel = undefined
      emit({ type: 'model', model: model.name })
      return { ok: true, text: `The model is ${model.name} now.` }
    },
    permissions: async (wanted) => {
      const mode = PERMISSION_MODES.find((known) => known === wanted)
      if (mode === undefined) return { ok: false, text: `${wanted} is no mode: ${PERMISSION_MODES.join(', ')}` }
      sessions.current.gate.mode = mode
      emit({ type: 'permissions', mode })
      return SILENT
    },
    policy: async () => policyReport(config, sessions.current.agent),
    setPolicy: async (key, value, scope) => {
      const done = await setPolicyValue(setup, sessions.current, { key, value, scope })
      tellStatus()
      return done
    },
    sessions: () => sessions.list(),
    openSession: (id) => sessions.switchTo(id),
    newSession: () => sessions.create(),
    fork: (before) => sessions.fork(before),
    openExample: () => sessions.example(),
    rename: (title) => sessions.rename(title),
    exportTo: (path) =>
      exportLog(store, live().id, config.workspace, path ?? `pith-session-${live().id.slice(0, 8)}.jsonl`),
    files: (query) => files.find(query),
    close: async () => {
      await work.stop()
      await others.stop()
      await sessions.close()
    },
  }
  return { port, theme: config.settings.theme }
}

const SILENT: Done = { ok: true, text: '' }
