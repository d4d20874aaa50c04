import { costOf } from '../../tokens/cost.ts'
import { tokensBetween } from '../../tokens/sizes.ts'
import type { CompactPlan, Plan } from '../plan/plan-shape.ts'
import { factsText } from './ask/facts-text.ts'
import type { CompactState } from './compact-state.ts'

/** The most that the call of the preferred model will cost, in US dollars: undefined without prices, 0 without a model. */
export function estimateCost(state: CompactState, plan: Plan): number | undefined {
  if (plan.kind !== 'compact') return 0
  const { input, policy, view, sizes, tokens } = state
  const outputTokens = plan.allowances.summaryTokens
  const { warm } = input
  if (warm !== undefined && policy.rungs.includes('warm')) {
    if (warm.prices === undefined) return undefined
    return costOf(
      { inputTokens: tokens + factsTokens(state, plan), outputTokens, cacheReadTokens: tokens },
      warm.prices,
    )
  }
  const model = input.summaryModels?.[0]
  if (model === undefined) return 0
  const covered = policy.covers === 'everything' ? view.items.length : plan.cut
  if (model.prices === undefined) return undefined
  const inputTokens = tokensBetween(sizes, 0, covered) + factsTokens(state, plan)
  return costOf({ inputTokens, outputTokens }, model.prices)
}

function factsTokens(state: CompactState, plan: CompactPlan): number {
  return state.estimator.text(factsText(state, plan) ?? '')
}
