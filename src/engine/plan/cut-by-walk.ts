import type { SkipReason } from '../../model/compact-result.ts'
import type { View } from '../../model/view.ts'
import { type Sizes, tokensAt } from '../../tokens/sizes.ts'
import type { CutRule } from './cut-rules.ts'
import { legalAtOrAfter, legalCuts, withCutRules } from './cuts.ts'

/**
 * The cut of a policy that need not fit the target. Walking backwards, the message that exceeds `keepTokens` falls
 * before the cut; a last message that alone exceeds it is kept. A cut before a tool result moves forward.
 */
export function cutByWalk(
  view: View,
  keepTokens: number,
  sizes: Sizes,
  cutRules?: readonly CutRule[],
): number | SkipReason {
  const { items } = view
  const end = items.length
  let cut = 0
  let tokens = 0
  for (let i = end - 1; i >= 0; i--) {
    tokens += tokensAt(sizes, i)
    if (tokens > keepTokens) {
      cut = Math.min(i + 1, end - 1)
      break
    }
  }
  if (cut === 0) return 'too-short'
  const legal = legalAtOrAfter(legalCuts(view, withCutRules(cutRules)), cut, end)
  if (legal === end) return 'no-legal-cut'
  return legal < 2 ? 'too-short' : legal
}

/** The cut when the user asked and `cutByWalk` finds none: the last legal one with two messages before it. */
export function forcedCut(view: View, cutRules?: readonly CutRule[]): number | SkipReason {
  const legal = legalCuts(view, withCutRules(cutRules))
  for (let i = view.items.length - 1; i >= 2; i--) if (legal(i)) return i
  return 'too-short'
}
