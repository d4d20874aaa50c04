import type { SkipReason } from '../../model/compact-result.ts'
import { atOnce } from '../../model/steps.ts'
import type { Message, Seq } from '../../model/types.ts'
import { tokensBetween } from '../../tokens/sizes.ts'
import type { Context } from '../context/context.ts'
import { replacedAt } from '../context/view/replaced-range.ts'
import { keptItems } from '../plan/kept-items.ts'
import { keepText } from '../report/skip.ts'
import { type CompactInput, type CompactOptions, type CompactState, contextOf, prepare } from './compact-state.ts'
import { messagesRemoved } from './compaction-draft.ts'
import { estimateCost } from './estimate-cost.ts'
import { planFor } from './plan-for.ts'
import { fittedPlan } from './rungs/chosen-lines.ts'

/** A compaction that has not run yet: the range it would summarise, the messages that would stay, and its highest cost. */
export type PreviewResult =
  | KeepResult
  | {
      readonly kind: 'compact'
      readonly tokens: number
      readonly from: Seq
      readonly upTo: Seq
      readonly messages: number
      readonly spanTokens: number
      /** The messages that stay verbatim after the summary. */
      readonly kept: readonly Message[]
      readonly squeezed: readonly Seq[]
      readonly estimatedCost?: number
    }

/** Plans a compaction without doing it. */
export function preview(input: CompactInput): PreviewResult {
  return previewOf(contextOf(input), input)
}

/** Like `preview`, for a caller that has the Context. */
export function previewOf(context: Context, input: CompactOptions): PreviewResult {
  const state = prepare(context, input)
  const plan = atOnce(fittedPlan(state, planFor(state)))
  const { view, tokens, policy, sizes } = state
  if (plan.kind === 'keep') return { kind: 'keep', skip: plan.reason, reason: keepText(plan), tokens }
  const cut = plan.kind === 'compact' ? plan.cut : 0
  const kept = keptItems(view, cut, policy)
  const { range } = replacedAt(view, cut, kept)
  const { cost: estimatedCost } = estimateCost(state, plan)
  return {
    kind: 'compact',
    tokens,
    // The record of another agent begins at 0, before the first message.
    from: Math.max(Math.min(1, range.upTo), range.from),
    upTo: range.upTo,
    messages: messagesRemoved(state, cut),
    spanTokens: tokensBetween(sizes, 0, cut),
    kept: [...kept, ...view.items.slice(cut)].map((item) => item.message),
    squeezed: plan.squeezes.map(({ target }) => target),
    ...(estimatedCost === undefined ? {} : { estimatedCost }),
  }
}

/** Why the view stays as it is. */
export type KeepResult = {
  readonly kind: 'keep'
  readonly skip: SkipReason
  readonly reason: string
  readonly tokens: number
}

/** Whether a compaction would do something now. Unlike a preview, it renders no facts and estimates no price. */
export function dueCompaction(context: Context, input: CompactOptions): KeepResult | { readonly kind: 'compact' } {
  return dueWith(prepare(context, input))
}

/** The same for a context that is prepared already. */
export function dueWith(state: CompactState): KeepResult | { readonly kind: 'compact' } {
  const plan = planFor(state)
  if (plan.kind !== 'keep') return { kind: 'compact' }
  return { kind: 'keep', skip: plan.reason, reason: keepText(plan), tokens: state.tokens }
}
