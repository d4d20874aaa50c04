import type { View } from '../../model/view.ts'
import { CUT_RULES, type CutRule } from './cut-rules.ts'

/** The rules of the providers and the caller's own. */
export function withCutRules(own: readonly CutRule[] = []): readonly CutRule[] {
  return own.length === 0 ? CUT_RULES : [...CUT_RULES, ...own]
}

/** Returns a check: may the view be cut before this index? */
export function legalCuts(view: View, rules: readonly CutRule[] = CUT_RULES): (index: number) => boolean {
  const checks = rules.map((rule) => rule(view))
  return (index) => checks.every((legal) => legal(index))
}

/** The nearest legal cut at or before `index`, down to 0. */
export function legalAtOrBefore(legal: (index: number) => boolean, index: number): number {
  let cut = index
  while (cut > 0 && !legal(cut)) cut--
  return cut
}

/** The nearest legal cut at or after `index`, or `end` when there is none before it. */
export function legalAtOrAfter(legal: (index: number) => boolean, index: number, end: number): number {
  let cut = index
  while (cut < end && !legal(cut)) cut++
  return cut
}
