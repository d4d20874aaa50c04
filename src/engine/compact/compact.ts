import type { CompactResult, ResultContext, UnchangedResult } from '../../model/compact-result.ts'
import type { EntryDraft } from '../../model/entry.ts'
import { listedIn } from '../../model/facts/log-index.ts'
import { mergeIndexes } from '../../model/facts/merge-indexes.ts'
import type { Policy } from '../../model/policy/policy.ts'
import { messagesOf, type View } from '../../model/view.ts'
import { messagesTokens } from '../../tokens/count.ts'
import { fixedTokens } from '../../tokens/estimate/estimator.ts'
import { appended } from '../context/view/log.ts'
import { currentFiles } from '../extract/current-files.ts'
import { filesOf } from '../extract/files.ts'
import { filesDelta } from '../extract/index-delta.ts'
import { pathsOf } from '../extract/paths-of.ts'
import { floorTooLarge } from '../plan/floor-too-large.ts'
import { type Plan, type PlanInput, plan } from '../plan/plan.ts'
import type { KeepPlan } from '../plan/plan-shape.ts'
import { keepText } from '../report/skip.ts'
import { CancelledError, guarded } from './ask/call-model.ts'
import { type CompactInput, type CompactState, prepare, unreadIn } from './compact-state.ts'
import { givenBefore, messagesRemoved } from './compaction-draft.ts'
import { estimateCost } from './estimate-cost.ts'
import { type Climb, climb } from './ladder.ts'
import type { RebuiltContext } from './rebuild.ts'

export type { CompactInput } from './compact-state.ts'

/**
 * Compacts a log: decides, climbs the ladder, accepts only a context that is better, and returns the entries to append.
 * It writes nothing itself, and no outcome but `compacted` changes the view.
 *
 * @example
 * ```ts
 * import { compact, logOf } from 'pith'
 *
 * const log = logOf(messages)
 * const result = await compact({ log, model: { contextWindow: 200_000 } })
 * const longer = [...log, ...result.entries] // store these: the log is all there is
 * ```
 */
export async function compact(input: CompactInput): Promise<CompactResult> {
  const state = prepare({ ...input, onEvent: (event) => guarded(() => input.onEvent?.(event)) })
  const decision = planFor(state)
  if (decision.kind === 'keep') return skipped(state, decision)
  try {
    const cut = decision.kind === 'compact' ? decision.cut : 0
    const messages = messagesRemoved(state, cut)
    const estimatedCost = estimateCost(state, decision)
    const cost = estimatedCost === undefined ? {} : { estimatedCost }
    const early = isEarly(state) ? { cacheCold: true as const } : {}
    state.input.onEvent?.({ type: 'start', reason: state.reason, tokens: state.tokens, messages, ...early, ...cost })
    const climbed = await climb(state, decision)
    return climbed.result.ok ? compacted(climbed, climbed.result, cut) : refused(climbed)
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
    const { message: reason } = error
    return { outcome: 'cancelled', reason, ...unchanged(state, [{ type: 'attempt', outcome: 'cancelled', reason }]) }
  }
}

/** The plan for a prepared compaction. */
export function planFor(state: CompactState): Plan {
  return plan(planInput(state))
}

function planInput({
  input,
  policy,
  estimator,
  view,
  fenced,
  tokens,
  budget,
  reason,
  breaker,
}: CompactState): PlanInput {
  return {
    view,
    policy,
    budget,
    tokens,
    estimator,
    reason,
    fixed: { ...fixedTokens(input.fixed ?? {}, estimator), fenced: fenced.tokens },
    pendingTokens: messagesTokens(input.pending ?? [], estimator),
    breaker,
    cacheCold: input.cacheCold,
    cutRules: input.cutRules,
  }
}

/** True when only the cold cache has brought it on. */
function isEarly(state: CompactState): boolean {
  const { input, reason, tokens, budget } = state
  const isDue = tokens - unreadIn(state).tokens >= (budget.trigger ?? 0) || tokens > (budget.limit ?? tokens)
  return input.cacheCold === true && reason === 'threshold' && !isDue
}

function compacted(
  { state, rung, draft, model, spent, refusal }: Climb,
  made: RebuiltContext,
  cut: number,
): CompactResult {
  return {
    outcome: 'compacted',
    compacted: true,
    reason: state.reason,
    messages: messagesOf(made.view),
    tokensBefore: state.tokens,
    tokensAfter: made.tokensAfter,
    messagesRemoved: draft?.messages ?? 0,
    ...(draft === undefined ? {} : { summary: draft.summary, cut: givenBefore(state, cut) }),
    ...filesNow(made.view, state.policy, state.input),
    rung,
    ...(draft?.model === undefined ? {} : { model }),
    ...spent,
    ...(refusal === undefined ? {} : { refusal }),
    ...(draft?.flagged === undefined ? {} : { flagged: draft.flagged }),
    ...(made.leftOut === undefined ? {} : { leftOut: made.leftOut }),
    entries: made.log.slice(state.input.log.length),
    view: made.view,
  }
}

function refused({ state, result }: Climb): UnchangedResult {
  if (result.ok) throw new Error('unreachable: nothing was refused')
  if (result.refusal === 'floor-too-large') return skipped(state, floorTooLarge(planInput(state)))
  if (result.refusal === 'not-smaller') return skipped(state, { reason: 'nothing-to-gain' })
  const noted = state.log.at(-1)
  // A refusal by a model is in the log already. That no model could be asked is not.
  const entries: EntryDraft[] =
    noted?.type === 'attempt' && noted.seq > (state.input.log.at(-1)?.seq ?? 0)
      ? []
      : [{ type: 'attempt', outcome: 'failed', reason: result.reason }]
  return { outcome: 'failed', reason: result.reason, ...unchanged(state, entries) }
}

function skipped(state: CompactState, plan: Omit<KeepPlan, 'kind'>): UnchangedResult {
  return { outcome: 'skipped', reason: keepText(plan), skip: plan.reason, ...unchanged(state) }
}

/** The context of a compaction that is not even tried. */
export function untouched(input: CompactInput): UntouchedContext {
  return unchanged(prepare(input))
}

type UntouchedContext = ResultContext & { readonly compacted: false }

function unchanged(
  { input, log, whole: view, tokens, policy }: CompactState,
  drafts: readonly EntryDraft[] = [],
): UntouchedContext {
  return {
    compacted: false,
    messages: messagesOf(view),
    tokensBefore: tokens,
    tokensAfter: tokens,
    messagesRemoved: 0,
    ...filesNow(view, policy, input),
    entries: appended(log, drafts, input).slice(input.log.length),
    view,
  }
}

/** All files of the session that the view knows of: those of earlier spans, and those of what is still in it. */
function filesNow(
  view: View,
  policy: Policy,
  { facts }: CompactInput,
): { readFiles: string[]; modifiedFiles: string[] } {
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
