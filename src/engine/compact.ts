import type { Entry, EntryDraft, EntryOf, Reason } from '../model/entry.ts'
import type { Fixed } from '../model/fixed.ts'
import { type FileFact, mergeIndexes } from '../model/log-index.ts'
import type { Message } from '../model/message.ts'
import type { ModelInfo } from '../model/model-info.ts'
import type { PolicyPatch } from '../model/policy.ts'
import { policyOf } from '../model/presets.ts'
import type { SummaryModel } from '../model/summary-model.ts'
import { addUsage, type Usage } from '../model/usage.ts'
import { messagesOf, type View } from '../model/view.ts'
import { budgetOf } from '../tokens/budget.ts'
import { costOf } from '../tokens/cost.ts'
import { messagesTokens } from '../tokens/count.ts'
import { charactersByFour, type Estimator, fixedTokens } from '../tokens/estimate.ts'
import { status } from '../tokens/status.ts'
import { acceptContext, type Refused } from './accept.ts'
import { breakerOf, breakerState } from './breaker.ts'
import { Cancelled } from './call-model.ts'
import type { CompactResult } from './compact-result.ts'
import { filesOf, pathsOf } from './files.ts'
import { indexDelta } from './index-delta.ts'
import { keptItems, keptSeqs } from './keep.ts'
import { appended, type LogDeps } from './log.ts'
import { type Plan, plan } from './plan.ts'
import { repairDraft } from './repair.ts'
import { requestOf } from './request.ts'
import { skipText } from './skip.ts'
import { summarize } from './summarize.ts'
import { viewOf } from './view.ts'

export type CompactInput = {
  readonly log: readonly Entry[]
  readonly policy?: PolicyPatch
  readonly reason?: Reason
  /** The model that the conversation is with: its window is the measure. */
  readonly model?: Partial<ModelInfo>
  /** Who may write the summary, the preferred one first: when one fails the next is asked (R3). */
  readonly summaryModels: readonly SummaryModel[]
  readonly fixed?: Fixed
  /** What was typed but is not in the log yet. */
  readonly pending?: readonly Message[]
  readonly focus?: string
  readonly signal?: AbortSignal
  /** Receives the summary as it is written; an error from it cancels (T12). */
  readonly onText?: (text: string) => void
  readonly onEvent?: (event: CompactEvent) => void
  readonly estimator?: Estimator
} & LogDeps

/** What a user interface can show while it waits. */
export type CompactEvent =
  | { readonly type: 'start'; readonly tokens: number; readonly messages: number }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'chunk'; readonly chunk: number; readonly of: number }
  | { readonly type: 'refused'; readonly model: string; readonly reason: string }

/**
 * Compacts a log: decides, has a model summarise, accepts only a context that is better, and returns the entries to
 * append. It writes nothing itself, and no outcome but `compacted` changes the view.
 */
export async function compact(input: CompactInput): Promise<CompactResult> {
  const state = prepare(input)
  const decision = decide(state)
  if (decision.kind === 'keep') return skipped(state, decision)
  const { view } = state
  input.onEvent?.({ type: 'start', tokens: state.tokens, messages: decision.cut })
  try {
    return await climb(state, decision)
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    const text = input.signal?.aborted === true ? 'Compaction cancelled' : error.message
    return unchanged(state, view, { outcome: 'cancelled', reason: text }, attempt('cancelled', text))
  }
}

type Prepared = ReturnType<typeof prepare>
type CompactPlan = Extract<Plan, { kind: 'compact' }>

/** A history that no provider would take is repaired first; the repair is an entry like any other. */
function prepare(input: CompactInput) {
  const policy = policyOf(input.policy)
  const estimator = input.estimator ?? charactersByFour
  const stored = viewOf(input.log)
  const repair = repairDraft(stored.items.slice(), { pending: 'allowed' })
  const log = repair === undefined ? input.log : appended(input.log, [repair], input)
  const view = repair === undefined ? stored : viewOf(log)
  const { tokens } = status({ ...input, view, estimator })
  return {
    input,
    policy,
    estimator,
    log,
    view,
    tokens,
    budget: budgetOf(policy, input.model?.contextWindow, input.model?.maxInput),
  }
}

function decide({ input, policy, estimator, log, view, tokens, budget }: Prepared): Plan {
  const now = input.clock?.() ?? log.at(-1)?.at ?? 0
  return plan({
    view,
    policy,
    budget,
    tokens,
    estimator,
    reason: input.reason ?? 'manual',
    fixed: fixedTokens(input.fixed ?? {}, estimator),
    pendingTokens: messagesTokens(input.pending ?? [], estimator),
    breaker: breakerState(breakerOf(log), policy, now),
  })
}

/** Asks one model after the other until a summary is accepted. */
async function climb(state: Prepared, decision: CompactPlan): Promise<CompactResult> {
  const { input, view } = state
  let refused: Refused = { ok: false, refusal: 'failed', reason: 'no model is configured' }
  let usage: Usage | undefined
  for (const model of input.summaryModels) {
    input.onEvent?.({ type: 'model', model: model.name })
    const summarized = await summarizeSpan(state, decision, model)
    usage = addUsage(usage, summarized.usage)
    const result = summarized.ok ? rebuilt(state, decision, summarized.summary, model, usage) : summarized
    if (!('ok' in result)) return result
    refused = result
    input.onEvent?.({ type: 'refused', model: model.name, reason: refused.reason })
  }
  if (refused.refusal === 'not-smaller') {
    const reason = skipText('nothing-to-gain')
    return unchanged(state, view, { outcome: 'skipped', reason, skip: 'nothing-to-gain' }, attempt('skipped', reason))
  }
  return unchanged(state, view, { outcome: 'failed', reason: refused.reason }, attempt('failed', refused.reason))
}

function summarizeSpan({ input, policy, estimator, view }: Prepared, decision: CompactPlan, model: SummaryModel) {
  const covered = policy.covers === 'everything' ? view.items.length : decision.cut
  return summarize({
    items: view.items.slice(0, covered),
    turnStart: policy.preset === 'kit' ? decision.turnStart : undefined,
    policy,
    model,
    maxOutputTokens: decision.allowances.summaryTokens,
    focus: focusOf(input),
    estimator,
    signal: input.signal,
    onText: input.onText,
    onChunk: (chunk, of) => input.onEvent?.({ type: 'chunk', chunk, of }),
  })
}

/** The context with the summary in place, if it may be committed. */
function rebuilt(
  state: Prepared,
  decision: CompactPlan,
  summary: string,
  model: SummaryModel,
  usage: Usage | undefined,
): CompactResult | Refused {
  const { input, policy, log, tokens } = state
  const draft = compactionDraft(state, decision, { summary, model, usage })
  const view = viewOf(appended(log, [draft], input))
  const after = status({ ...input, view, estimator: state.estimator }).tokens
  const verdict = acceptContext({
    messages: requestOf(view, input.pending).messages,
    tokensBefore: status({ ...input, view: { ...state.view, anchor: undefined }, estimator: state.estimator }).tokens,
    tokensAfter: after,
    target: policy.preset === 'pith' ? state.budget.target : undefined,
    mustShrink: policy.preset === 'pith' || (input.reason ?? 'manual') !== 'manual',
  })
  if (!verdict.ok) return verdict
  const entries = appended(log, [{ ...draft, tokensAfter: after }], input)
  const { readFiles, modifiedFiles } = filesNow(view)
  return {
    outcome: 'compacted',
    compacted: true,
    reason: draft.reason,
    messages: messagesOf(view),
    tokensBefore: tokens,
    tokensAfter: after,
    messagesRemoved: draft.messages,
    summary,
    cut: decision.cut,
    readFiles,
    modifiedFiles,
    rung: draft.rung,
    model: model.name,
    usage,
    cost: draft.cost,
    entries: entries.slice(input.log.length),
    view: viewOf(entries),
  }
}

type CompactionDraft = Omit<EntryOf<'compaction'>, 'id' | 'seq' | 'at'>

function compactionDraft(
  { input, policy, view, tokens }: Prepared,
  { cut, allowances }: CompactPlan,
  made: { summary: string; model: SummaryModel; usage: Usage | undefined },
): CompactionDraft {
  const span = view.items.slice(0, cut)
  const kept = keptItems(view, cut, policy)
  const removed = span.filter((item) => !kept.includes(item))
  const first = span[0]
  const upTo = span.reduce((last, item) => Math.max(last, item.place), 0)
  const focus = focusOf(input)
  const { usage, model } = made
  return {
    type: 'compaction',
    from: first?.kind === 'summary' ? first.from : (first?.place ?? 0),
    upTo,
    keep: keptSeqs(view, cut, kept, upTo),
    summary: made.summary,
    frame: policy.preset,
    indexTokens: allowances.indexTokens,
    userTokens: allowances.userTokens,
    // `kit` lists the files of the tail too (T9).
    indexDelta: indexDelta(policy.preset === 'kit' ? view.items.slice() : removed),
    messages: removed.length,
    reason: input.reason ?? 'manual',
    rung: 'cold',
    tokensBefore: tokens,
    tokensAfter: tokens,
    model: model.name,
    ...(usage === undefined ? {} : { usage }),
    ...(usage === undefined || model.prices === undefined ? {} : { cost: costOf(usage, model.prices) }),
    ...(focus === undefined ? {} : { focus }),
  }
}

function focusOf({ focus }: CompactInput): string | undefined {
  const trimmed = focus?.trim()
  return trimmed === '' ? undefined : trimmed
}

function skipped(state: Prepared, { reason, largest }: Extract<Plan, { kind: 'keep' }>): CompactResult {
  const text = largest === undefined ? skipText(reason) : `${skipText(reason)}; the largest part is ${largest}`
  return unchanged(state, state.view, { outcome: 'skipped', reason: text, skip: reason })
}

function unchanged(
  { input, log, tokens }: Prepared,
  view: View,
  why: Pick<CompactResult, 'outcome' | 'reason' | 'skip'>,
  draft?: EntryDraft,
): CompactResult {
  const entries = draft === undefined ? log : appended(log, [draft], input)
  return {
    ...why,
    compacted: false,
    messages: messagesOf(view),
    tokensBefore: tokens,
    tokensAfter: tokens,
    messagesRemoved: 0,
    summary: '',
    cut: 0,
    ...filesNow(view),
    entries: entries.slice(input.log.length),
    view,
  }
}

function attempt(outcome: EntryOf<'attempt'>['outcome'], reason: string): EntryDraft {
  return { type: 'attempt', outcome, reason }
}

/** All files of the session that the view knows of: those of earlier spans, and those of what is still in it. */
function filesNow(view: View): { readFiles: string[]; modifiedFiles: string[] } {
  const items = view.items.slice()
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? [item.index] : []))
  const files: readonly FileFact[] = mergeIndexes([...earlier, { files: filesOf(items), users: [] }]).files
  return { readFiles: pathsOf(files, 'read'), modifiedFiles: pathsOf(files, 'modified') }
}
