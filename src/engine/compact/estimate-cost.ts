import { atOnce, type Steps } from '../../model/steps.ts'
import { costOf } from '../../tokens/cost.ts'
import { tokensBetween } from '../../tokens/sizes.ts'
import type { CompactPlan, Plan } from '../plan/plan-shape.ts'
import { renderRecord } from '../record/sections/render-record.ts'
import type { CompactState } from './compact-state.ts'
import { spanSteps } from './removed-span.ts'
import { factsTokens, roomBeside } from './rungs/room-for-facts.ts'

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

/** The facts that the record will have. The model sees them, so that it writes only what they cannot say. */
export function* factsText(state: CompactState, plan: CompactPlan): Steps<string | undefined> {
  const { policy } = state
  const { frame, promptSet, indexFacts, prompt } = policy
  const areGiven = frame === 'pith' && promptSet === 'pith' && indexFacts === 'all' && prompt === undefined
  if (!areGiven) return undefined
  const { indexTokens, quoteTokens } = plan.allowances
  const given = factsTokens(plan, Math.min(indexTokens, roomBeside(state)))
  const budget = { indexTokens: Math.floor(given), userTokens: quoteTokens, nameTokens: 0 }
  const { record: facts, range } = yield* spanSteps(state, plan.cut)
  const record = renderRecord({ summary: '', facts, budget, shown: range.keep })
  return record === '' ? undefined : record
}
