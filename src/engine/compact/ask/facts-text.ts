import type { Policy } from '../../../model/policy/policy.ts'
import type { CompactPlan } from '../../plan/plan-shape.ts'
import { renderRecord } from '../../record/sections/render-record.ts'
import type { CompactState } from '../compact-state.ts'
import { factsTokens } from '../rungs/room-for-facts.ts'

/** The facts that the record will have. The model sees them, so that it writes only what they cannot say. */
export function factsText({ policy, removed }: CompactState, plan: CompactPlan): string | undefined {
  if (!isGivenFacts(policy)) return undefined
  const { indexTokens, quoteTokens } = plan.allowances
  const budget = { indexTokens: factsTokens(plan, indexTokens), userTokens: quoteTokens, nameTokens: 0 }
  const { record: facts, range } = removed(plan.cut)
  const record = renderRecord({ summary: '', facts, budget, shown: range.keep })
  return record === '' ? undefined : record
}

function isGivenFacts({ frame, promptSet, indexFacts, prompt }: Policy): boolean {
  return frame === 'pith' && promptSet === 'pith' && indexFacts === 'all' && prompt === undefined
}
