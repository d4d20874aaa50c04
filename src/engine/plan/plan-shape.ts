import type { SkipReason } from '../../model/compact-result.ts'
import type { Reason, Squeeze } from '../../model/entry.ts'
import type { Policy } from '../../model/policy/policy.ts'
import { isUserMessage, type View } from '../../model/view.ts'
import type { Budget } from '../../tokens/budget.ts'
import type { Estimator, FixedTokens } from '../../tokens/estimate/estimator.ts'
import type { Sizes } from '../../tokens/sizes.ts'
import type { BreakerState } from '../context/breaker.ts'
import type { Allowances } from './allowances.ts'
import type { Bounds } from './bounds.ts'
import type { CutRule } from './cut-rules.ts'

export type PlanInput = {
  readonly view: View
  readonly policy: Policy
  readonly budget: Budget
  /** The reason to consider a compaction. Only `manual` ignores trigger, growth, mode and breaker. */
  readonly reason: Reason
  /** The tokens of the context, from `status()`. */
  readonly tokens: number
  /** The tokens that no compaction can save. `fenced`: those of what a provider has compacted itself. */
  readonly fixed?: FixedTokens & { readonly fenced?: number }
  readonly pendingTokens?: number
  /** The prompt cache has expired, so a change of the view breaks nothing. */
  readonly cacheCold?: boolean
  readonly breaker?: BreakerState
  readonly estimator?: Estimator
  /** The sizes of the view by this estimator, where somebody has them: else every message is counted. */
  readonly sizes?: Sizes
  /** The caller's own rules for cuts, beside those of the providers. */
  readonly cutRules?: readonly CutRule[]
}

/** What is known while a plan is made. */
export type PlanState = PlanInput & { readonly estimator: Estimator; readonly sizes: Sizes }

/** A decision as data. */
export type Plan =
  | KeepPlan
  /** Nothing can be summarised, but single items are too large. */
  | { readonly kind: 'squeeze'; readonly squeezes: readonly Squeeze[]; readonly bounds: Bounds }
  | CompactPlan

export type KeepPlan = {
  readonly kind: 'keep'
  readonly reason: SkipReason
  /** The name of the largest part that cannot be compacted, its tokens, and the window that it is in. */
  readonly largest?: string
  readonly largestTokens?: number
  readonly window?: number
}

/** `cut` separates the span (before it) from the tail. */
export type CompactPlan = {
  readonly kind: 'compact'
  readonly cut: number
  /** The tail starts inside a turn. */
  readonly splitTurn: boolean
  /** The index where the cut turn begins, if that is in the span. */
  readonly turnStart?: number
  readonly allowances: Allowances
  /** Items of the tail that are shortened because they are too large. */
  readonly squeezes: readonly Squeeze[]
  /** The sizes that the rebuilt request is held to; absent under a policy that does not fit its target. */
  readonly bounds?: Bounds
}

/** The plan to change nothing, with its reason. */
export function keep(reason: SkipReason): Plan {
  return { kind: 'keep', reason }
}

/** The tokens of the fixed parts, which every request has. */
export function fixedSum({ fixed }: Pick<PlanInput, 'fixed'>): number {
  return Object.values(fixed ?? {}).reduce((sum, tokens) => sum + tokens, 0)
}

/** The plan to compact with this cut. */
export function compactAt(
  input: PlanInput,
  cut: number,
  allowances: Allowances,
  fit: Partial<Pick<CompactPlan, 'squeezes' | 'bounds'>> = {},
): CompactPlan {
  const { items } = input.view
  const splitTurn = cut < items.length && !isUserMessage(items.at(cut))
  const turnStart = splitTurn ? items.lastUser(cut) : -1
  return {
    kind: 'compact',
    cut,
    splitTurn,
    turnStart: turnStart === -1 ? undefined : turnStart,
    allowances,
    squeezes: fit.squeezes ?? [],
    bounds: fit.bounds,
  }
}
