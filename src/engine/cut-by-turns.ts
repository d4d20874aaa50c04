import type { View } from '../model/view.ts'
import { itemTokens } from '../tokens/count.ts'
import type { Estimator } from '../tokens/estimate.ts'
import { type CutRule, legalCuts, withCutRules } from './cuts.ts'
import { isUserMessage } from './index-delta.ts'

/**
 * The cut of the default policy: the largest tail within `tailTokens`, whole turns where they use it well. A last step
 * that alone exceeds it is the tail all the same: an agent in the middle of its work needs it.
 */
export function cutByTurns(
  view: View,
  tailTokens: number,
  estimator: Estimator,
  cutRules?: readonly CutRule[],
): number {
  const legal = legalCuts(view, withCutRules(cutRules))
  const end = view.items.length
  const tokensFrom = (index: number) => itemTokens(view.items, index, end, estimator)
  let earliest: number | undefined
  let turn: number | undefined
  for (let i = end - 1; i > 0 && tokensFrom(i) <= tailTokens; i--) {
    if (!legal(i)) continue
    earliest = i
    if (isUserMessage(view.items.at(i))) turn = i
  }
  if (turn !== undefined && tokensFrom(turn) * 2 >= tailTokens) return turn
  if (earliest !== undefined) return earliest
  let last = end - 1
  while (last > 0 && !legal(last)) last--
  return last > 0 ? last : end
}
