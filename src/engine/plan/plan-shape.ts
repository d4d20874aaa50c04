import type { SkipReason } from '../../model/compact-result.ts'
import type { Reason, Squeeze } from '../../model/entry.ts'
import type { Policy } from '../../model/policy.ts'
import { isUserMessage, type View } from '../../model/view.ts'
import type { Budget } from '../../tokens/budget.ts'
import type { Estimator, FixedTokens } from '../../tokens/estimate/estimator.ts'
import type { Allowances } from './allowances.ts'
import type { BreakerState } from './breaker.ts'
import type { CutRule } from './cut-rules.ts'
import type { SqueezePlan } from './squeeze-plan.ts'
import { lastUserIndex } from './user-index.ts'

export type PlanInput = {
  readonly view: View
  readonly policy: Policy
  readonly budget: Budget
  /** Why a compaction is considered: only `manual` passes over trigger, growth, mode and breaker. */
  readonly reason: Reason
  /** How full the context is: what `status()` says. */
  readonly tokens: number
  readonly fixed?: FixedTokens
  readonly pendingTokens?: number
  /** The provider has forgotten the last request: a change of the view breaks no cache. */
  readonly cacheCold?: boolean
  readonly breaker?: BreakerState
  readonly estimator?: Estimator
  /** Rules of the caller's own for where the view may be cut, beside those of the providers. */
  readonly cutRules?: readonly CutRule[]
}

/** What to do, as data. */
export type Plan =
  | KeepPlan
  /** Nothing can be summarised, but single items are too large. */
  | { readonly kind: 'squeeze'; readonly squeezes: readonly Squeeze[] }
  | CompactPlan

/** `largest` names what is too large to be compacted. */
export type KeepPlan = { readonly kind: 'keep'; readonly reason: SkipReason; readonly largest?: string }

/** `cut` separates the span (before it) from the tail. */
export type CompactPlan = {
  readonly kind: 'compact'
  readonly cut: number
  /** The tail starts inside a turn. */
  readonly splitTurn: boolean
  /** Where the turn that the cut is in began, when that is in the span. */
  readonly turnStart?: number
  readonly allowances: Allowances
  /** Items that stay, but are too large to stay whole. */
  readonly squeezes: readonly Squeeze[]
}

/** Nothing to do, and why. */
export function keep(reason: SkipReason): Plan {
  return { kind: 'keep', reason }
}

/** What is sent whatever is compacted: the fixed parts and the pending input. */
export function floorTokens({ fixed, pendingTokens = 0 }: PlanInput): number {
  return pendingTokens + Object.values(fixed ?? {}).reduce((sum, tokens) => sum + tokens, 0)
}

/** The plan to cut there. */
export function compactAt(input: PlanInput, cut: number, allowances: Allowances, fit?: SqueezePlan): CompactPlan {
  const { items } = input.view
  const splitTurn = cut < items.length && !isUserMessage(items.at(cut))
  const turnStart = splitTurn ? lastUserIndex(items, cut) : -1
  return {
    kind: 'compact',
    cut,
    splitTurn,
    turnStart: turnStart === -1 ? undefined : turnStart,
    allowances,
    squeezes: fit?.squeezes ?? [],
  }
}
