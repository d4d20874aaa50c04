import type { EntryDraft } from '../../model/entry.ts'
import { status } from '../../tokens/status.ts'
import type { Refused } from '../accept.ts'
import type { CompactState } from '../compact-state.ts'
import { maskPlan } from '../mask-plan.ts'
import type { CompactPlan } from '../plan-shape.ts'
import { type Rebuilt, rebuild } from './rebuild.ts'

/** Masks old tool output in one batch, if that alone brings the context down to the target. */
export function maskRung(state: CompactState, { cut }: CompactPlan): Rebuilt | Refused {
  const { view, estimator, input, tokens } = state
  const estimated = status({ ...input, view: { ...view, anchor: undefined }, estimator }).tokens
  const needTokens = estimated - (state.budget.target ?? estimated)
  if (needTokens <= 0) return { ok: false, refusal: 'not-smaller', reason: 'the estimate is under the target already' }
  const plan = maskPlan({ view, cut, needTokens, prices: input.model?.prices, estimator, cacheCold: input.cacheCold })
  if (plan.kind === 'refused') return { ok: false, refusal: 'not-smaller', reason: plan.reason }
  const draft: EntryDraft = { type: 'mask', targets: [...plan.targets], tokensBefore: tokens, tokensAfter: tokens }
  return rebuild(state, [draft])
}
