import { atOnce, type Steps } from '../../model/steps.ts'
import { costOf } from '../../tokens/cost.ts'
import { tokensBetween } from '../../tokens/sizes.ts'
import type { CompactPlan, Plan } from '../plan/plan-shape.ts'
import { textOfParts } from '../record/compose.ts'
import type { CompactState } from './compact-state.ts'
import { attachedParts } from './rungs/attached-parts.ts'

/** The estimated price of a call, and the facts that were rendered to count them. The call uses the same facts. */
export type CostEstimate = { readonly cost?: number; readonly facts?: string }

/** The most that the call of the preferred model can cost, in US dollars: undefined without prices, 0 without a model. */
export function estimateCost(state: CompactState, plan: Plan): CostEstimate {
  return atOnce(costSteps(state, plan))
}

/** The same in steps. */
export function* costSteps(state: CompactState, plan: Plan): Steps<CostEstimate> {
  if (plan.kind !== 'compact') return { cost: 0 }
  const { input, policy, view, sizes, estimator, tokens } = state
  const outputTokens = plan.allowances.summaryTokens
  const warm = policy.rungs.includes('warm') ? input.warm : undefined
  const model = warm ?? input.summaryModels?.[0]
  if (model === undefined) return { cost: 0 }
  if (model.prices === undefined) return {}
  const facts = yield* factsText(state, plan)
  const covered = policy.covers === 'everything' ? view.items.length : plan.cut
  const read = warm === undefined ? tokensBetween(sizes, 0, covered) : tokens
  const inputTokens = read + estimator.text(facts ?? '')
  const cacheReadTokens = warm === undefined ? undefined : tokens
  return { cost: costOf({ inputTokens, outputTokens, cacheReadTokens }, model.prices), facts }
}

/** The lines that the record will have beside the narrative. The model sees them, so that it writes only what they cannot say. */
export function* factsText(state: CompactState, plan: CompactPlan): Steps<string | undefined> {
  const { frame, promptSet, prompt } = state.policy
  if (frame !== 'pith' || promptSet !== 'pith' || prompt !== undefined) return undefined
  const text = textOfParts(yield* attachedParts(state, plan))
  return text === '' ? undefined : text
}
