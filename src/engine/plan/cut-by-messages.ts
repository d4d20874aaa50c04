import type { SkipReason } from '../../model/compact-result.ts'
import type { View } from '../../model/view.ts'
import type { CutRule } from './cut-rules.ts'
import { legalAtOrBefore, legalCuts, withCutRules } from './cuts.ts'

/** The cut that keeps the last `keep` messages, all from `end` on, and more where a call would lose its result (R11, A4, K9). */
export function cutByMessages(
  view: View,
  keep: number,
  minSpanMessages: number,
  cutRules?: readonly CutRule[],
  end: number = view.items.length,
): number | SkipReason {
  const cut = Math.min(end, view.items.length - keep)
  if (cut < minSpanMessages) return 'too-short'
  const legal = legalAtOrBefore(legalCuts(view, withCutRules(cutRules)), cut)
  return legal < minSpanMessages ? 'no-legal-cut' : legal
}
