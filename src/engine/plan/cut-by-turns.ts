import { isUserMessage, type View } from '../../model/types.ts'
import { type Sizes, tokensBetween } from '../../tokens/sizes.ts'
import { type CutRule, legalAtOrAfter, legalAtOrBefore, legalCuts, withCutRules } from './cut-rules.ts'

/**
 * The cut of the default policy: the largest tail within `tailTokens`, in whole turns if they use it well. The items
 * from `readEnd` on are unread: they belong to the tail and are not counted. If the last step alone exceeds the tokens, it is
 * the tail anyway, because an agent in the middle of its work needs it.
 */
export function cutByTurns(
  view: View,
  tailTokens: number,
  sizes: Sizes,
  cutRules?: readonly CutRule[],
  readEnd: number = view.items.length,
): number {
  const legal = legalCuts(view, withCutRules(cutRules))
  const { items } = view
  const end = items.length
  const tokensFrom = (index: number) => tokensBetween(sizes, index, readEnd)
  const within = firstWithin(readEnd, (index) => tokensFrom(index) <= tailTokens)
  // The tail may consist of the unread alone.
  const stop = readEnd < end ? readEnd + 1 : end
  const earliest = legalAtOrAfter(legal, within, stop)
  if (earliest < stop) {
    const turn = legalAtOrAfter((index) => isUserMessage(items.at(index)) && legal(index), earliest, stop)
    return turn < stop && tokensFrom(turn) * 2 >= tailTokens ? turn : earliest
  }
  const last = legalAtOrBefore(legal, stop - 1)
  return last > 0 || readEnd < end ? last : end
}

/** The first index from 1 on that is within, or `end`. All indexes after such a one are within, too. */
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
