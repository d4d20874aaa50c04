import type { EntryDraft } from '../../../model/entry.ts'
import { maskPlan } from '../../plan/mask-plan.ts'
import type { CompactPlan } from '../../plan/plan-shape.ts'
import { type CompactState, unreadIn } from '../compact-state.ts'
import { sizesBefore } from '../compaction-draft.ts'
import { type RebuiltContext, rebuild } from '../rebuild.ts'
import type { Refusal } from '../refusal.ts'

/** A token of a name has some three characters; batches come on top of each other, so that each has less than a record. */
const NAME_CHARACTERS = 2

/**
 * Masks old tool output in one batch, if that alone brings the context down to the target. Where it can, the batch makes
 * room for the unread too, which will have been read by the next time: else every large step would break the cache again.
 */
export function maskRung(state: CompactState, { cut, bounds }: CompactPlan): RebuiltContext | Refusal {
  const { view, estimator, sizes, input, estimated } = state
  const unread = unreadIn(state)
  const needTokens = estimated - unread.tokens - (bounds?.target ?? estimated)
  if (needTokens <= 0) return { ok: false, refusal: 'not-smaller', reason: 'the estimate is under the target already' }
  const { cacheCold } = input
  const nameCharacters = state.budget.names * NAME_CHARACTERS
  const masking = {
    view,
    cut,
    unreadFrom: unread.from,
    takesAllOutput: true,
    nameCharacters,
    prices: state.model.prices,
    estimator,
    sizes,
    cacheCold,
  }
  const forAll = maskPlan({ ...masking, needTokens: needTokens + unread.tokens })
  const plan = forAll.kind === 'mask' || unread.tokens === 0 ? forAll : maskPlan({ ...masking, needTokens })
  if (plan.kind === 'refused') return { ok: false, refusal: 'not-smaller', reason: plan.reason }
  const entry: EntryDraft = {
    type: 'mask',
    targets: [...plan.targets],
    nameCharacters: nameCharacters === 0 ? undefined : nameCharacters,
    ...sizesBefore(state),
  }
  return rebuild(state, [entry], bounds)
}
