import { automaticCompaction } from '../../../agent/compaction/automatic-compaction.ts'
import { type PinResult, pinMessage } from '../../../agent/pin-message.ts'
import { WorkspaceFiles } from '../../../agent/workspace-files.ts'
import * as contract from '../../../contract/routes/context-routes.ts'
import type {
  WireContext,
  WireContextHistory,
  WireMark,
  WireParts,
  WirePoint,
} from '../../../contract/shapes/shapes.ts'
import { toWire, wireEntry, wireFound } from '../../../contract/shapes/wire.ts'
import { estimateIn, notInLogTokens, statusIn } from '../../../engine/context/context.ts'
import { extendContext, openContext } from '../../../engine/context/open-context.ts'
import { changesView, inactiveSeqs } from '../../../engine/context/view/activity.ts'
import { withoutTakenOut } from '../../../engine/context/view/replaced-range.ts'
import { requestOf } from '../../../engine/context/view/request.ts'
import { addItem, type PartSizes, partSizes, partsWithin } from '../../../engine/report/context-parts.ts'
import { largestItems, withoutFolder } from '../../../engine/report/item-names.ts'
import {
  promptIn,
  promptReport,
  type ReportedSection,
  storedPromptReport,
} from '../../../engine/report/prompt-report.ts'
import { nextCompaction, preparedText } from '../../../engine/report/skip.ts'
import { type ToolReport, toolSizes, toolsIn } from '../../../engine/report/tool-report.ts'
import { usableModels } from '../../../llm/choose-model.ts'
import type { Entry } from '../../../model/types.ts'
import { Sequence } from '../../../model/values.ts'
import { NOTHING_FOUND } from '../../../search/hits.ts'
import { SpentMeter } from '../../../session/account/spent-meter.ts'
import { entriesIn } from '../../../session/entries-in.ts'
import { originIn } from '../../../session/import/origin.ts'
import type { LiveSession } from '../../../session/live-session.ts'
import { searchSession } from '../../../session/search/search-session.ts'
import { recallWithTasks } from '../../../session/tasks.ts'
import { pin, redo, type UndoResult, undo, undoPreview, unpin } from '../../../session/user-changes.ts'
import type { BadRow, Store } from '../../../store/store.ts'
import { HttpError } from '../../http/http-error.ts'
import { inShape } from '../../http/message-shapes.ts'
import { requestKey } from '../../http/same-request.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { isDue, type Measure, measureOf, statusFor, wireChange } from '../../sessions/measure.ts'
import { workspaceOf } from '../../sessions/server-agent.ts'
import type { Services } from '../../sessions/services.ts'
import { type Handler, handler, sessionHandler } from '../handler.ts'

const LARGEST = 5
const NAME_CHARACTERS = 200

/** Reports the parts of a session's context, and when the next compaction comes. */
const getContextHandler = sessionHandler(contract.getContextRoute, async (_, served, services) =>
  wireContext(served, await measureOf(services, served)),
)

/** The sizes of the parts are estimates, scaled so that they add up to the tokens of the status. */
function wireContext({ live }: ServedSession, measure: Measure): WireContext {
  const { model, context } = measure
  const status = statusFor(measure)
  const { workspace } = live.session
  return {
    model: model.name,
    status,
    parts: wireParts(partSizes(context), {
      status,
      hidden: notInLogTokens(context, status),
      tools: toolsIn(live.log),
      prompt: promptIn(live.log),
    }),
    budget: toWire(context.budget),
    largest: largestItems(context, LARGEST, NAME_CHARACTERS).map(({ seq, name, tokens }) => ({
      seq,
      name: withoutFolder(name, workspace),
      tokens,
    })),
    messages: context.view.items.length,
    compaction_due: isDue(measure, status),
    next: nextFor(measure),
    policy: toWire(context.policy),
  }
}

function nextFor({ agent, context }: Measure): string {
  return nextCompaction({
    mode: context.policy.mode,
    prepared: preparedText(context.policy),
    budget: context.budget,
    tokens: agent.status().tokens,
    readTokens: agent.readTokens(),
    whySkipped: () => {
      const due = automaticCompaction(agent)
      return due.kind === 'keep' ? due.reason : undefined
    },
  })
}

/** Undoes the newest change of the view, once for a key. */
const undoHandler = sessionHandler(contract.undoRoute, async ({ headers, caller }, served, services) => {
  const result = await undo(services.store, served.id, requestKey(caller, 'undo', headers))
  return wireChange(services, served, entryOf(result, 'undo'))
})

/** The change that an undo would undo. */
const previewUndoHandler = sessionHandler(contract.previewUndoRoute, async (_, served, services) => {
  const { agent } = await measureOf(services, served)
  const preview = await undoPreview(services.store, served.id)
  return { seq: preview?.entry.seq, status: agent.status(preview?.view) }
})

/** Undoes the newest undo, once for a key. */
const redoHandler = sessionHandler(contract.redoRoute, async ({ headers, caller }, served, services) => {
  const result = await redo(services.store, served.id, requestKey(caller, 'redo', headers))
  return wireChange(services, served, entryOf(result, 'redo'))
})

function entryOf(result: UndoResult, which: 'undo' | 'redo'): Entry {
  if (result.ok) return result.entry
  throw new HttpError(409, `nothing-to-${which}`, result.reason)
}

/** The messages to send to a model now. */
const getViewHandler = sessionHandler(contract.getViewRoute, async ({ query: { shape } }, served, services) => {
  const { view } = served.live
  const { system, messages } = requestOf(view)
  const status = statusFor(await measureOf(services, served))
  return { shape, revision: view.revision, system: [...system], messages: inShape(shape, messages), status }
})

/** Pins a message. With `back`, a message that is not in the context word for word is put back first. */
const pinEntryHandler = sessionHandler(contract.pinEntryRoute, async ({ params, query }, served, services) => {
  const { store } = services
  const result: PinResult =
    query.back === 'true'
      ? await pinMessage(store, (await measureOf(services, served)).agent, params.seq)
      : { ok: true, entry: await pin(store, served.id, params.seq) }
  if (!result.ok) throw new HttpError(409, result.code, result.reason)
  return wireChange(services, served, result.entry)
})

const getHistory = sessionHandler(contract.getContextHistoryRoute, async ({ query: { points } }, served, services) =>
  contextHistory(services.store, served, await measureOf(services, served), points),
)

const getSpent = sessionHandler(contract.getSpentRoute, async ({ query: { turns } }, served, services) => {
  const meter = await readMeter(services, served)
  return toWire(turns === 0 ? meter.report : { ...meter.report, turns: meter.turns(turns) })
})

/** The prompt of the session's own agent; of another agent its sizes in the log, or the text that was imported with it. */
const getPrompt = sessionHandler(contract.getPromptRoute, async ({ query, caller }, served, services) => {
  const { agent, isFixedKnown, context, model } = await measureOf(services, served)
  const { log } = served.live
  const stored = promptIn(log)
  const fixed = isFixedKnown ? agent.fixed() : { system: originIn(log)?.system }
  const { sections, ...report } =
    stored === undefined || isFixedKnown
      ? promptReport(fixed, context.estimator, model.info?.prices)
      : storedPromptReport(stored, model.info?.prices)
  const shown = caller.session === undefined ? sections : sections.map(forLink)
  return toWire({
    ...report,
    hasTexts: shown.some(({ text }) => text !== undefined),
    sections: shown.map(({ text, ...section }) => (query.texts === 'true' ? { ...section, text } : section)),
  })
})

/** A link shows one session only: the memory of a project quotes other ones, and its instructions are not in the log. */
function forLink({ text: _, ...section }: ReportedSection): ReportedSection {
  return section.part === 'system' ? section : { ...section, title: section.part }
}

/** The tools of the session's own agent; of another agent those that its log names. */
const getTools = sessionHandler(contract.getToolsRoute, async ({ query, caller }, served, services) => {
  const { agent, isFixedKnown, context, model } = await measureOf(services, served)
  const own = isFixedKnown ? agent.sentTools : []
  const meter = await readMeter(services, served)
  const sizes = meter.tools(toolSizes(own, context.estimator), model.info?.prices) ?? NO_TOOLS
  const hasTexts = own.length > 0 && caller.session === undefined
  const report = toWire({ ...sizes, hasTexts })
  if (query.texts === 'false' || !hasTexts) return report
  const texts = new Map(own.map((tool) => [tool.name, JSON.stringify(tool, null, 2)]))
  return {
    ...report,
    servers: report.servers.map((server) => ({
      ...server,
      tools: server.tools.map((tool) => ({ ...tool, text: texts.get(tool.name) })),
    })),
  }
})

const NO_TOOLS: ToolReport = { tokens: 0, servers: [] }

async function readMeter({ store, models }: Services, served: ServedSession): Promise<SpentMeter> {
  served.spent ??= new SpentMeter(models.deps.registry)
  await served.spent.read(store, served.id)
  return served.spent
}

const listRequests = sessionHandler(contract.listRequestsRoute, async (_, { id }, { gatewayRequests }) => {
  const records = (await gatewayRequests?.(id)) ?? []
  return { requests: records.map(({ session: _, face: __, ...record }) => toWire(record)) }
})

const findFiles = sessionHandler(contract.findFilesRoute, async ({ query: { q } }, served, services) => {
  const workspace = workspaceOf(services, served.live.session)
  if (workspace === undefined) return { paths: [] }
  served.files ??= new WorkspaceFiles(workspace.path)
  return { paths: [...(await served.files.find(q))] }
})

const recallEntries = sessionHandler(contract.recallRoute, async ({ query }, { id }, { store }) => {
  const { q, handles, limit, offset } = query
  if (q === undefined && handles === undefined)
    throw new HttpError(400, 'bad-request', 'the query has neither q nor handles: send one of them')
  const found = q === undefined ? NOTHING_FOUND : await searchSession(store, id, q, { limit, offset })
  let bad: readonly BadRow[] = []
  const entries =
    handles === undefined ? [] : await recallWithTasks(store, id, handles, { onBad: (rows) => (bad = rows) })
  return {
    ...wireFound(found),
    entries: entries.slice(offset, offset + limit).map(wireEntry),
    entries_total: entries.length,
    ...(bad.length === 0 ? {} : { bad_rows: bad.map(({ seq, reason }) => ({ seq, reason })) }),
  }
})

const unpinEntry = sessionHandler(contract.unpinEntryRoute, async ({ params: { seq } }, served, services) =>
  wireChange(services, served, await unpin(services.store, served.id, seq)),
)

const listModels = handler(contract.listModelsRoute, async (_, { models }) => ({
  models: usableModels(models.deps).models.map((model) => ({
    name: model.name,
    context_window: model.info.contextWindow,
    usable: model.usable,
    why: model.usable ? undefined : model.why,
  })),
}))

/** The context: how full and with what, the messages to send, recall, undo, pins; and the models. */
export const contextHandlers: readonly Handler[] = [
  getContextHandler,
  getHistory,
  getSpent,
  getPrompt,
  getTools,
  listRequests,
  findFiles,
  getViewHandler,
  recallEntries,
  previewUndoHandler,
  undoHandler,
  redoHandler,
  pinEntryHandler,
  unpinEntry,
  listModels,
]

/**
 * The context over the life of a session: how full it was after each entry, reduced to `most` points, and every change as
 * a mark. All points are counted with today's model and policy, as the status is.
 */
function contextHistory(
  store: Store,
  served: ServedSession,
  measure: Measure,
  most: number,
): Promise<WireContextHistory> {
  const { model, context } = measure
  const { settings: given, fixed } = context
  const settings = JSON.stringify([most, model.name, given.model, given.policy, fixed.counts])
  const { live, history: known } = served
  const { view } = live
  if (known?.view === view && known.settings === settings) return known.value
  const history = { view, settings, value: walk(store, live, measure, most) }
  served.history = history
  history.value.catch(() => {
    if (served.history === history) served.history = undefined
  })
  return history.value
}

async function walk(store: Store, live: LiveSession, measure: Measure, most: number): Promise<WireContextHistory> {
  const { settings, estimator, budget } = measure.context
  // Messages that a later entry puts back.
  const back = new Set(live.log.flatMap((entry) => (entry.type === 'pin' ? (entry.back ?? []) : [])))
  const takenBack = new Set(live.log.flatMap((entry) => (entry.type === 'undo' ? [entry.of] : [])))
  const inactive = inactiveSeqs(live.log)
  const tools = toolsIn(live.log)
  const prompt = promptIn(live.log)
  const every = Math.max(1, Math.ceil(live.session.lastSeq / most))
  const points: WirePoint[] = []
  const marks: WireMark[] = []
  let context = openContext([], { ...settings, estimator })
  let sizes = partSizes(context)
  for await (const entry of entriesIn(store, live.id)) {
    const before = changesView(entry) ? estimateIn(context) : 0
    context = extendContext(context, entry)
    if (changesView(entry)) {
      sizes = partSizes(context)
      const log = context.log.slice()
      marks.push({ ...markOf(entry, log, before, estimateIn(context)), ...storedSizes(entry) })
      // Later folds do not need the messages that the summary replaced.
      if (entry.type === 'compaction' && !takenBack.has(entry.seq))
        context = { ...context, log: Sequence.of(withoutTakenOut(log, entry, (seq) => back.has(seq))) }
    } else if (entry.type === 'message') addItem(sizes, context, context.sizes.items.length - 1)
    if (changesView(entry) || entry.seq % every === 0 || entry.seq === live.session.lastSeq) {
      const status = statusIn(context)
      const { tokens_after: tokens = status.tokens } = storedSizes(entry)
      const shown = { ...status, tokens }
      const parts = wireParts(sizes, { status: shown, hidden: notInLogTokens(context, shown), tools, prompt })
      points.push({ seq: entry.seq, at: entry.at, tokens, parts })
    }
  }
  const { window, trigger } = budget
  return {
    window,
    trigger,
    points,
    marks: marks.map((mark) => ({ ...mark, undone: inactive.has(mark.seq) })),
  }
}

/** The sizes that a reduction was made with. Other changes have none. */
function storedSizes(entry: Entry): Partial<Pick<WireMark, 'tokens_before' | 'tokens_after'>> {
  if (!('tokensAfter' in entry) || entry.tokensBefore === undefined) return {}
  return { tokens_before: entry.tokensBefore, tokens_after: entry.tokensAfter }
}

function markOf(entry: Entry, log: readonly Entry[], tokensBefore: number, tokensAfter: number): WireMark {
  const undoes = entry.type === 'undo' ? log.find(({ seq }) => seq === entry.of)?.type : undefined
  return {
    seq: entry.seq,
    at: entry.at,
    type: undoes === 'undo' ? 'redo' : markType(entry.type),
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    undone: false,
  }
}

function markType(type: Entry['type']): WireMark['type'] {
  switch (type) {
    case 'compaction':
    case 'mask':
    case 'squeeze':
    case 'edit':
    case 'undo':
    case 'redact':
    case 'leave-out':
    case 'put-back':
      return type
    case 'pin':
      return 'put-back'
    default:
      return 'repair'
  }
}

/** The parts of a context as they go over HTTP. */
export function wireParts(sizes: PartSizes, input: Parameters<typeof partsWithin>[1]): WireParts {
  const parts = partsWithin(sizes, input)
  return Object.fromEntries(parts.map(({ name, tokens }) => [name, tokens])) as WireParts
}
