import { costOf } from '../../tokens/cost.ts'
import { itemTokens } from '../../tokens/count.ts'
import type { Plan } from '../plan/plan-shape.ts'
import type { CompactState } from './compact-state.ts'

/** The most that the call of the preferred model will cost, in US dollars: undefined without prices, 0 without a model. */
export function estimateCost({ input, policy, view, estimator, tokens }: CompactState, plan: Plan): number | undefined {
  if (plan.kind !== 'compact') return 0
  const outputTokens = plan.allowances.summaryTokens
  const { warm } = input
  if (warm !== undefined && policy.rungs.includes('warm')) {
    return warm.prices && costOf({ inputTokens: tokens, outputTokens, cacheReadTokens: tokens }, warm.prices)
  }
  const model = input.summaryModels?.[0]
  if (model === undefined) return 0
  const covered = policy.covers === 'everything' ? view.items.length : plan.cut
  const inputTokens = itemTokens(view.items, 0, covered, estimator)
  return model.prices && costOf({ inputTokens, outputTokens }, model.prices)
}
