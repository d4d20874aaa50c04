import { randomUUID } from 'node:crypto'
import type { Agent, CompactNowResult } from '../../../agent/agent.ts'
import {
  agentInput,
  type CompactionRequest,
  compactNow,
  plannedCompaction,
} from '../../../agent/compaction/compact-now.ts'
import type { WireCompactBody } from '../../../contract/routes/compact-routes.ts'
import * as contract from '../../../contract/routes/compact-routes.ts'
import type { WireCompactResult, WirePreview } from '../../../contract/shapes/compaction-shapes.ts'
import { stepToWire } from '../../../contract/shapes/wire.ts'
import type { WireEvent } from '../../../contract/shapes/wire-events.ts'
import { untouched } from '../../../engine/compact/compact.ts'
import { focusOf } from '../../../engine/compact/compaction-draft.ts'
import { previewOf } from '../../../engine/compact/preview.ts'
import { statusOf } from '../../../engine/context/open-context.ts'
import { REDACTED } from '../../../engine/context/view/rewrite-message.ts'
import { viewOf } from '../../../engine/context/view/view-of.ts'
import { pathsOf } from '../../../engine/extract/files.ts'
import { openModel } from '../../../llm/open-model.ts'
import { asSummaryModel } from '../../../llm/summary-models-for.ts'
import { type Entry, type EntryOf, messagesOf, type Reason, type SummaryModel } from '../../../model/types.ts'
import { policyOver, settingsIn } from '../../../session/open-session.ts'
import { compactionsOf, stateWithoutStatus } from '../../../session/session-state.ts'
import { editSummary } from '../../../session/user-changes.ts'
import { keyedId } from '../../../store/rows/table-rows.ts'
import type { Store } from '../../../store/store.ts'
import { readOnly } from '../../access/check-request.ts'
import { HttpError, shownError } from '../../http/http-error.ts'
import { policyFrom } from '../../http/request-body.ts'
import { otherBody, requestKey } from '../../http/same-request.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { measureOf, wireChange } from '../../sessions/measure.ts'
import type { Services } from '../../sessions/services.ts'
import { EventQueue } from '../../stream/event-queue.ts'
import { cancelWork } from '../../work/turn-input.ts'
import { workHolder } from '../../work/work-list.ts'
import { type Handler, sessionHandler } from '../handler.ts'
import { compactionDetail, lossOf } from './compaction-detail.ts'
import { type CompactionFacts, refusalOf, wireCompaction, wirePreview, wireResult } from './wire-compaction.ts'

const compactSession = sessionHandler(contract.compactSessionRoute, async (call, served, services) => {
  const { body = {}, caller } = call
  const { streams, inFlight } = services
  if (body.dry_run === true) return previewCompaction(services, served, body)
  if (caller.access === 'read') throw readOnly(caller.name)
  const key = requestKey(caller, 'compact', call.headers)
  const start = () => startCompaction(services, served, body, { key, token: caller.token })
  if (!call.wantsEvents)
    return inFlight.once(key && `${served.id}\n${key}`, async () => compactionAnswer(await start()))
  const running = await start()
  return streams.respond(caller, call.gone, (signal) => compactionEvents(served.id, running, signal))
})

const cancelCompaction = sessionHandler(contract.cancelCompactionRoute, (_, { id }, services) =>
  cancelWork(services, id, 'compaction'),
)

const listCompactions = sessionHandler(contract.listCompactionsRoute, async (_, { live }) => ({
  compactions: compactionsOf(live.log).map(wireCompaction),
}))

const getCompaction = sessionHandler(contract.getCompactionRoute, ({ params: { seq }, query }, served, services) =>
  compactionDetail(services, served, seq, query),
)

const replaceSummary = sessionHandler(contract.editSummaryRoute, async ({ params, body }, served, services) =>
  wireChange(services, served, await editSummary(services.store, served.id, params.seq, body.summary)),
)

const getLoss = sessionHandler(contract.getLossRoute, ({ params: { seq }, query: { limit } }, served, services) =>
  lossOf(services, served, seq, limit),
)

/** Compactions: run and cancel one, list them, read one and what it lost, edit its summary. */
export const compactHandlers: readonly Handler[] = [
  compactSession,
  cancelCompaction,
  listCompactions,
  getCompaction,
  getLoss,
  replaceSummary,
]

/** A running compaction: its progress and its result. */
type RunningCompaction = {
  readonly id: string
  readonly progress: EventQueue<WireEvent>
  readonly result: Promise<CompactionFacts>
}

/**
 * Starts a compaction as a request wants it. It continues when the caller disconnects. If one was done under the same key
 * before, its result is returned and nothing is done again.
 */
async function startCompaction(
  services: Services,
  served: ServedSession,
  body: WireCompactBody,
  { key, token }: { readonly key: string | undefined; readonly token: string },
): Promise<RunningCompaction> {
  const { agent, model } = await measureOf(services, served)
  const request = requestOf(services, agent, body)
  if (model.missing !== undefined && needsModel(agent, request)) throw new HttpError(409, 'no-model', model.missing)
  const id = key === undefined ? randomUUID() : keyedId(`${served.id}\n${key}`)
  const progress = new EventQueue<WireEvent>()
  const earlier = await earlierCompaction(services, agent, { key, reason: request.reason, focus: request.focus })
  const { budgets } = services.access
  if (earlier === undefined && mayUseModel(agent, request)) await budgets.check(token)
  const result = earlier === undefined ? budgets.run(token, run) : Promise.resolve(earlier)
  result.catch(() => undefined).finally(() => progress.end())
  return { id, progress, result }

  async function run(): Promise<CompactNowResult> {
    const holder = workHolder({ kind: 'compaction', id })
    const result = await services.workList.start(served.id, { kind: 'compaction', id }, (signal) =>
      compactNow(agent, {
        ...request,
        signal,
        holder,
        key,
        leaseMs: services.server.lease_ms,
        onAgentEvent: (event) => {
          if (event.type === 'compaction') progress.push(stepToWire(served.id, event.event, false))
        },
      }),
    )
    count(services, result)
    return result
  }
}

/** The result of a compaction, as one answer. */
async function compactionAnswer({ id, result }: RunningCompaction): Promise<WireCompactResult> {
  const ended = await result
  const refusal = refusalOf(ended)
  if (refusal !== undefined) throw refusal.error
  return wireResult(id, ended)
}

/** The progress of a compaction, and last its result. */
async function* compactionEvents(
  session_id: string,
  { progress, result, id }: RunningCompaction,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  for await (const event of progress.events(signal)) yield event
  if (signal.aborted) return
  try {
    const ended = await result
    const refusal = refusalOf(ended)
    if (refusal === undefined) {
      yield { event: 'compaction.ended', data: { session_id, automatic: false, ...wireResult(id, ended) } }
    } else yield failure(refusal.error, refusal.reason)
  } catch (error) {
    const answer = shownError(error, 'POST')
    yield failure(answer, answer.message)
  }

  function failure({ code, running }: HttpError, reason: string): WireEvent {
    const event = code === 'busy' ? 'compaction.skipped' : 'compaction.failed'
    return { event, data: { session_id, id, reason, code, running } }
  }
}

/** A preview of the compaction that a request asks for. */
async function previewCompaction(
  services: Services,
  served: ServedSession,
  body: WireCompactBody,
): Promise<WirePreview> {
  const { agent } = await measureOf(services, served)
  return wirePreview(plannedCompaction(agent, requestOf(services, agent, body)))
}

/** True when nothing but the session's own model could write the summary. */
function needsModel(agent: Agent, request: CompactionRequest): boolean {
  const input = agentInput(agent, request)
  const { policy } = agent.live.context(settingsIn(input))
  return !policy.rungs.includes('digest') && input.summaryModels?.length === 0
}

/** True unless every way of this compaction does without a model. */
function mayUseModel(agent: Agent, request: CompactionRequest): boolean {
  const { policy } = agent.live.context(settingsIn(agentInput(agent, request)))
  return policy.rungs.includes('warm') || policy.rungs.includes('cold')
}

function requestOf(services: Services, { policyPatch }: Agent, body: WireCompactBody): CompactionRequest {
  const asked = body.policy === undefined ? undefined : policyOver(policyPatch, policyFrom(body.policy))
  const kept = body.preserve_count
  return {
    reason: body.when === 'due' ? 'threshold' : 'manual',
    focus: body.focus,
    policy: kept === undefined ? asked : { ...(asked ?? policyPatch), keepMessages: kept },
    summaryModels: body.model === undefined ? undefined : [summaryModel(services, body.model)],
  }
}

function summaryModel({ models }: Services, name: string): SummaryModel {
  const opened = openModel(name, models.deps)
  if ('unusable' in opened) throw new HttpError(400, opened.unusable, opened.text)
  return asSummaryModel(opened)
}

function count({ metrics }: Services, result: CompactNowResult): void {
  metrics.add('pith_compactions_total', { outcome: result.outcome })
  const { tokensBefore, tokensAfter } = result
  if (result.compacted) metrics.add('pith_tokens_saved_total', {}, Math.max(0, tokensBefore - tokensAfter))
}

type CompactionCall = { readonly key: string | undefined; readonly reason: Reason; readonly focus: string | undefined }

/** The result of an earlier compaction with this key, by any process, made again from the log; undefined if there was none. */
async function earlierCompaction(
  { store }: Services,
  agent: Agent,
  { key, reason, focus }: CompactionCall,
): Promise<CompactionFacts | undefined> {
  const entries = key === undefined ? undefined : await store.appended(agent.live.id, key)
  if (entries === undefined) return undefined
  const hasHook = agent.deps.hooks?.beforeCompaction !== undefined
  if (entries.some((entry) => entry.type === 'compaction' && !isSameFocus(entry, focusOf(focus), hasHook)))
    throw otherBody()
  const last = entries.findLast(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')
  return last === undefined ? nothingDone(agent, entries) : done(store, agent, { entries, last, reason })
}

/** A hook may have added its own text after the focus, and a redaction may have removed the focus. */
function isSameFocus(entry: EntryOf<'compaction'>, focus: string | undefined, hasHook: boolean): boolean {
  if (entry.focus === focus || entry.focus === REDACTED) return true
  return hasHook && entry.focus !== undefined && (focus === undefined || entry.focus.startsWith(`${focus}\n`))
}

async function done(
  store: Store,
  agent: Agent,
  { entries, last, reason }: { readonly entries: readonly Entry[]; readonly last: Entry; readonly reason: Reason },
): Promise<CompactionFacts> {
  // The log as it was then, with changes that were undone since.
  const log = (await store.entries(agent.live.id, { upTo: last.seq })).entries
  const view = viewOf(log)
  const counting = { model: agent.info, policy: agent.policyPatch, fixed: agent.fixed() }
  const { files } = stateWithoutStatus({ log, view })
  const before = log.filter(({ seq }) => seq < (entries[0]?.seq ?? last.seq))
  const summary = entries.find((entry) => entry.type === 'compaction')
  const { usage, cost, refusal } = compactionsOf(entries)[0] ?? {}
  const counted = entries.flatMap((entry) => ('tokensAfter' in entry ? [entry] : []))
  return {
    outcome: 'compacted',
    compacted: true,
    reason: summary?.reason ?? reason,
    messages: messagesOf(view),
    tokensBefore: counted[0]?.tokensBefore ?? statusOf(before, counting).tokens,
    tokensAfter: counted.at(-1)?.tokensAfter ?? statusOf(log, counting).tokens,
    messagesRemoved: summary?.messages ?? 0,
    summary: summary?.summary,
    cut:
      summary &&
      viewOf(before)
        .items.slice()
        .filter(({ place }) => place <= summary.upTo).length,
    rung: summary?.rung ?? (last.type === 'mask' ? 'mask' : 'squeeze'),
    model: summary?.model,
    usage,
    cost,
    refusal,
    flagged: summary?.flagged,
    readFiles: pathsOf(files, 'read'),
    modifiedFiles: pathsOf(files, 'modified'),
    entries,
  }
}

/** The result of a compaction that was cancelled or had nothing to do. It did not change the context, so the current one is used. */
function nothingDone(agent: Agent, entries: readonly Entry[]): CompactionFacts {
  const input = agentInput(agent, { reason: 'manual' })
  const now = agent.live.context(settingsIn(input))
  const context = { ...untouched(now, input), entries }
  const attempt = entries.findLast((entry) => entry.type === 'attempt')
  if (attempt?.outcome === 'cancelled') return { ...context, outcome: 'cancelled', reason: attempt.reason }
  if (attempt !== undefined) return { ...context, outcome: 'skipped', skip: 'superseded', reason: attempt.reason }
  const plan = previewOf(now, input)
  if (plan.kind === 'keep') return { ...context, outcome: 'skipped', skip: plan.skip, reason: plan.reason }
  return { ...context, outcome: 'skipped', skip: 'nothing-new', reason: 'There was nothing to compact' }
}
