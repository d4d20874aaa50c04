import type { CompactResult, ResultContext, UnchangedResult } from '../../model/compact-result.ts'
import { listedIn, mergeIndexes } from '../../model/facts/log-index.ts'
import type { Policy } from '../../model/policy/policy.ts'
import { inSlices } from '../../model/steps.ts'
import { type EntryDraft, messagesOf, type View } from '../../model/types.ts'
import type { Context } from '../context/context.ts'
import { extendContext } from '../context/open-context.ts'
import { entryAfter } from '../context/view/log.ts'
import { currentFiles } from '../extract/current-files.ts'
import { filesOf, pathsOf } from '../extract/files.ts'
import { filesDelta } from '../extract/index-delta.ts'
import { floorTooLarge, type KeepPlan } from '../plan/plan-shape.ts'
import { keepText } from '../report/skip.ts'
import { CancelledError, guarded } from './ask/call-model.ts'
import {
  type CompactInput,
  type CompactOptions,
  type CompactState,
  contextOf,
  prepare,
  unreadIn,
} from './compact-state.ts'
import { givenBefore, messagesRemoved } from './compaction-draft.ts'
import { costSteps } from './estimate-cost.ts'
import { type Climb, climb } from './ladder.ts'
import { planFor, planInput } from './plan-for.ts'
import type { RebuiltContext } from './rebuild.ts'
import { fittedPlan } from './rungs/chosen-lines.ts'

export type { CompactInput, CompactOptions } from './compact-state.ts'

/** Compacts a log. It writes nothing itself; only the outcome `compacted` changes the view. */
export async function compact(input: CompactInput): Promise<CompactResult> {
  return (await compactContext(contextOf(input), input)).result
}

/** A result, and the Context after it. */
export type ContextResult<R = CompactResult> = { readonly result: R; readonly context: Context }

/** Like `compact`, for a caller that has the Context of its log. */
export async function compactContext(context: Context, input: CompactOptions): Promise<ContextResult> {
  const state = prepare(context, { ...input, onEvent: (event) => guarded(() => input.onEvent?.(event)) })
  const planned = planFor(state)
  if (planned.kind === 'keep') return skipped(state, planned)
  try {
    const decision = await inSlices(fittedPlan(state, planned), state.pause)
    if (decision.kind === 'keep') return skipped(state, decision)
    const cut = decision.kind === 'compact' ? decision.cut : 0
    const messages = messagesRemoved(state, cut)
    const { cost: estimatedCost, facts } = await inSlices(costSteps(state, decision), state.pause)
    const { reason, tokens } = state
    const cacheCold = isEarly(state) ? true : undefined
    state.input.onEvent?.({ type: 'start', reason, tokens, messages, cacheCold, estimatedCost })
    const climbed = await climb(state, decision, facts)
    return climbed.result.ok ? compacted(climbed, climbed.result, cut) : refused(climbed)
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
    const { message: reason } = error
    const { result, context } = unchanged(state, [{ type: 'attempt', outcome: 'cancelled', reason }])
    return { result: { outcome: 'cancelled', reason, ...result }, context }
  }
}

/** True if the compaction is due only because the cache is cold. */
function isEarly(state: CompactState): boolean {
  const { input, reason, tokens, budget } = state
  const isDue = tokens - unreadIn(state).tokens >= (budget.trigger ?? 0) || tokens > (budget.limit ?? tokens)
  return input.cacheCold === true && reason === 'threshold' && !isDue
}

function compacted(
  { state, rung, draft, model, spent, refusal }: Climb,
  made: RebuiltContext,
  cut: number,
): ContextResult {
  const { context } = made
  const { view } = context
  const result: CompactResult = {
    outcome: 'compacted',
    compacted: true,
    reason: state.reason,
    messages: messagesOf(view),
    tokensBefore: state.tokens,
    tokensAfter: made.tokensAfter,
    messagesRemoved: draft?.messages ?? 0,
    ...(draft === undefined ? {} : { summary: draft.summary, cut: givenBefore(state, cut) }),
    ...filesNow(view, state.policy, state.input),
    rung,
    ...(draft?.model === undefined ? {} : { model }),
    ...spent,
    ...(refusal === undefined ? {} : { refusal }),
    ...(draft?.flagged === undefined ? {} : { flagged: draft.flagged }),
    ...(made.leftOut === undefined ? {} : { leftOut: made.leftOut }),
    entries: context.log.slice(state.given.log.length),
    view,
  }
  return { result, context }
}

function refused({ state, result }: Climb): ContextResult<UnchangedResult> {
  if (result.ok) throw new Error('unreachable: nothing was refused')
  if (result.refusal === 'floor-too-large') return skipped(state, floorTooLarge(planInput(state)))
  if (result.refusal === 'not-smaller') return skipped(state, { reason: 'nothing-to-gain' })
  const noted = state.whole.log.last
  // If a model refused, the log says so already. If no model could be asked, it does not.
  const entries: EntryDraft[] =
    noted?.type === 'attempt' && noted.seq > (state.given.log.last?.seq ?? 0)
      ? []
      : [{ type: 'attempt', outcome: 'failed', reason: result.reason }]
  const now = unchanged(state, entries)
  return { ...now, result: { outcome: 'failed', reason: result.reason, ...now.result } }
}

function skipped(state: CompactState, plan: Omit<KeepPlan, 'kind'>): ContextResult<UnchangedResult> {
  const now = unchanged(state)
  return { ...now, result: { outcome: 'skipped', reason: keepText(plan), skip: plan.reason, ...now.result } }
}

/** The unchanged context, for a compaction that is not even tried. */
export function untouched(context: Context, input: CompactOptions): UntouchedContext {
  return unchanged(prepare(context, input)).result
}

type UntouchedContext = ResultContext & { readonly compacted: false }

function unchanged(
  { input, given, whole, tokens, policy }: CompactState,
  drafts: readonly EntryDraft[] = [],
): ContextResult<UntouchedContext> {
  const { view } = whole
  const context = drafts.reduce((next, draft) => extendContext(next, entryAfter(next.log.last, draft, input)), whole)
  const result = {
    compacted: false as const,
    messages: messagesOf(view),
    tokensBefore: tokens,
    tokensAfter: tokens,
    messagesRemoved: 0,
    ...filesNow(view, policy, input),
    entries: context.log.slice(given.log.length),
    view,
  }
  return { result, context }
}

/** All files of the session that the view knows: those of earlier spans, and those of the items that are still in it. */
function filesNow(view: View, policy: Policy, { facts }: CompactOptions) {
  const items = view.items.slice()
  const listsFiles = policy.indexFacts === 'files'
  const earlier = items.flatMap((item) =>
    item.kind === 'summary'
      ? [{ commits: item.index.commits, files: listsFiles ? [...listedIn(item.index)] : item.index.files }]
      : [],
  )
  const here = listsFiles ? [{ files: filesOf(items) }] : [filesDelta(items), facts?.(items) ?? {}]
  const all = mergeIndexes([...earlier, ...here])
  const files = listsFiles ? all.files : currentFiles(all)
  return { readFiles: pathsOf(files, 'read'), modifiedFiles: pathsOf(files, 'modified') }
}
