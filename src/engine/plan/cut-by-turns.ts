import { isUserMessage, type View } from '../../model/view.ts'
import { tokenTotals } from '../../tokens/count.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import type { CutRule } from './cut-rules.ts'
import { legalAtOrAfter, legalAtOrBefore, legalCuts, withCutRules } from './cuts.ts'

/**
 * The cut of the default policy: the largest tail within `tailTokens`, whole turns where they use it well. A last step
 * that alone exceeds it is the tail anyway, because an agent in the middle of its work needs it.
 */
export function cutByTurns(
  view: View,
  tailTokens: number,
  estimator: Estimator,
  cutRules?: readonly CutRule[],
): number {
  const legal = legalCuts(view, withCutRules(cutRules))
  const { items } = view
  const end = items.length
  const totals = tokenTotals(items, estimator)
  const tokensFrom = (index: number) => (totals[end] ?? 0) - (totals[index] ?? 0)
  const within = firstWithin(end, (index) => tokensFrom(index) <= tailTokens)
  const earliest = legalAtOrAfter(legal, within, end)
  if (earliest < end) {
    const turn = legalAtOrAfter((index) => isUserMessage(items.at(index)) && legal(index), earliest, end)
    return turn < end && tokensFrom(turn) * 2 >= tailTokens ? turn : earliest
  }
  const last = legalAtOrBefore(legal, end - 1)
  return last > 0 ? last : end
}

/** The first index from 1 on that is within, or `end`. All indexes behind such a one are within too. */
function firstWithin(end: number, isWithin: (index: number) => boolean): number {
  let from = Math.min(1, end)
  let to = end
  while (from < to) {
    const middle = (from + to) >> 1
    if (isWithin(middle)) to = middle
    else from = middle + 1
  }
  return to
}
