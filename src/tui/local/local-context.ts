import type { Agent } from '../../agent/agent.ts'
import { keptContents, redactWithContents } from '../../agent/checkpoints/open-keeper.ts'
import { automaticCompaction } from '../../agent/compaction/automatic-compaction.ts'
import { plannedCompaction } from '../../agent/compaction/compact-now.ts'
import { pinMessage } from '../../agent/pin-message.ts'
import { type Context, statusIn } from '../../engine/context/context.ts'
import { isCacheCold } from '../../engine/context/open-context.ts'
import { leaveOutChoices } from '../../engine/plan/leave-out-choices.ts'
import { forgottenText } from '../../engine/report/change-text.ts'
import { contextParts } from '../../engine/report/context-parts.ts'
import { largestItems } from '../../engine/report/item-names.ts'
import { leaveOutEffect } from '../../engine/report/leave-out-text.ts'
import { nextCompaction, preparedText } from '../../engine/report/skip.ts'
import { toolSizes } from '../../engine/report/tool-report.ts'
import { type Entry, textOf } from '../../model/types.ts'
import { type DamagedEntry, namedHandles } from '../../search/handles.ts'
import type { SpentMeter } from '../../session/account/spent-meter.ts'
import { leaveOut, putBackLeftOut } from '../../session/leave-out.ts'
import type { LiveSession } from '../../session/live-session.ts'
import { entriesWithSameText } from '../../session/search/search-session.ts'
import { stateWithoutStatus } from '../../session/session-state.ts'
import { recallWithTasks, searchWithTasks } from '../../session/tasks.ts'
import { editSummary, redo, type UndoResult, undo, undoPreview, unpin } from '../../session/user-changes.ts'
import { pageText, sessionPage } from '../../store/memory-pages.ts'
import type { Store } from '../../store/store.ts'
import type { ChangeResult, ContextPort, ContextReport, RecallHit, SummaryReport } from '../port/port.ts'
import { entryHits, foundHit, isHandle, rawHandles, SHOWN_HITS } from '../port/recall-hits.ts'
import { safeText } from '../port/safe-text.ts'
import { DONE, refusal } from '../port/shared.ts'
import { shownModel } from './local-session.ts'
import type { LocalSessions, LocalSetup } from './local-sessions.ts'
import { previewFacts } from './open-questions.ts'

/** The context of the open session on this machine. */
export function localContext({ store, config, folders }: LocalSetup, sessions: LocalSessions): ContextPort {
  const agent = () => sessions.current.agent
  const live = () => agent().live
  const changed = async (entry: Entry): Promise<ChangeResult> => {
    await sessions.emitChanges([entry])
    return DONE
  }
  const undone = async (result: UndoResult) => (result.ok ? changed(result.entry) : refusal(result.reason))
  return {
    context: async () => {
      agent().deps.fixed.refresh(live().session.lastSeq)
      await sessions.spent.read(store, live().id)
      return contextReport(agent(), sessions.spent)
    },
    preview: async () => previewFacts(plannedCompaction(agent(), { reason: 'manual' })),
    summary: async () => summaryReport(live()),
    recall: (text) => findInLog(store, live().id, text),
    todos: async () => stateWithoutStatus(live()).todos,
    memory: async () => safeText(pageText(sessionPage(folders.data, live().id))),
    spent: async () => {
      await sessions.spent.read(store, live().id)
      return sessions.spent.report
    },
    undoPreview: async () => {
      const preview = await undoPreview(store, live().id)
      return preview && agent().status(preview.view)
    },
    undo: async () => undone(await undo(store, live().id)),
    redo: async () => undone(await redo(store, live().id)),
    editSummary: async (seq, text) => changed(await editSummary(store, live().id, seq, text)),
    pin: async (seq) => {
      const result = await pinMessage(store, agent(), seq)
      return result.ok ? changed(result.entry) : refusal(result.reason)
    },
    leaveOutChoices: async () => leaveOutChoices(agent().context(), { requestedBy: 'user' }, CHOICES),
    leaveOut: async (what, when) => {
      const cacheCold = isCacheCold(live().log, agent().deps.clock(), agent().model.cacheLifetimeMs)
      const result = await leaveOut(store, agent(), what, { requestedBy: 'user', when, cacheCold })
      if (!result.ok) return refusal(result.reason)
      await sessions.emitChanges([result.entry])
      return { ok: true, text: leaveOutEffect(result.plan) }
    },
    putBack: async (seq) => {
      const result = await putBackLeftOut(store, agent(), seq)
      return result.ok ? changed(result.entry) : refusal(result.reason)
    },
    unpin: async (seq) => changed(await unpin(store, live().id, seq)),
    sameText: (seq) => entriesWithSameText(store, live().id, seq),
    redact: async (seqs) => {
      const { id } = live()
      const contents = keptContents(folders.data, config.settings)
      const done = await redactWithContents({ store, contents, id, folder: folders.data }, seqs)
      await sessions.emitChanges(done.redactions)
      return { ok: true, text: forgottenText(done) }
    },
  }
}

const LARGEST = 5
const CHOICES = 40

/** The parts of the window. Their sizes are estimated, and add up to the tokens of the status line. */
function contextReport(agent: Agent, spent: SpentMeter): ContextReport {
  const context = agent.context()
  const status = statusIn(context, agent.pending)
  const { tokens } = status
  return {
    model: shownModel(agent),
    status,
    parts: contextParts(context, { status }),
    reserve: context.budget.reserve,
    largest: largestItems(context, LARGEST).map(({ seq, name, tokens }) => ({ name: `#${seq} ${name}`, tokens })),
    tools: spent.tools(toolSizes(agent.sentTools, context.estimator), agent.info.prices),
    preset: context.policy.preset,
    next: nextFor(agent, context, tokens),
  }
}

function nextFor(agent: Agent, { policy, budget }: Context, tokens: number): string {
  return nextCompaction({
    mode: policy.mode,
    prepared: preparedText(policy),
    budget,
    tokens,
    readTokens: agent.readTokens(),
    whySkipped: () => {
      const due = automaticCompaction(agent)
      return due.kind === 'keep' ? due.reason : undefined
    },
  })
}

function summaryReport({ view }: LiveSession): SummaryReport | undefined {
  const item = view.items.slice().findLast((each) => each.kind === 'summary')
  if (item?.kind !== 'summary') return undefined
  return { seq: item.seq, text: safeText(item.text), record: safeText(textOf(item.message)), standsFor: item.standsFor }
}

/** The hits of a text in the whole log, or the entries with these handles. */
async function findInLog(store: Store, id: string, text: string): Promise<RecallHit[]> {
  const asked = rawHandles(text)
  const { session: task, handles } = namedHandles(asked ?? text) ?? { session: '', handles: asked ?? text }
  if (isHandle(handles)) {
    const raw = asked !== undefined
    const hits = await entryHits(handles, async (some) => {
      let damaged: readonly DamagedEntry[] = []
      const onBad = (rows: readonly DamagedEntry[]) => (damaged = rows)
      const entries = await recallWithTasks(store, id, `${task}${some.trim()}`, { raw, onBad })
      return { entries, damaged }
    })
    return hits.map((hit) => ({ ...hit, task }))
  }
  const { hits, nameOf } = await searchWithTasks(store, id, text, { limit: SHOWN_HITS })
  return hits.map((hit) => ({ ...foundHit(hit), task: nameOf?.(hit) }))
}
