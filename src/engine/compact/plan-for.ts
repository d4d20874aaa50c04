import { fencedTokens } from '../context/context.ts'
import { type Plan, plan } from '../plan/plan.ts'
import type { PlanState } from '../plan/plan-shape.ts'
import type { CompactState } from './compact-state.ts'

/** The plan for a prepared compaction. `recordTokens`: what its record needs, if that is less than its share. */
export function planFor(state: CompactState, recordTokens?: number): Plan {
  return plan({ ...planInput(state), recordTokens })
}

export function planInput(state: CompactState): PlanState {
  const { input, breakerState, whole } = state
  const { cacheCold, cutRules, upTo } = input
  const fixed = { ...state.fixed.own, fenced: fencedTokens(whole) }
  return { ...state, fixed, breaker: breakerState, cacheCold, cutRules, upTo }
}
