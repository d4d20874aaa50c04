import type { View } from '../../model/view.ts'
import { type Sizes, tokensAt } from '../../tokens/sizes.ts'
import { legalCuts } from './cut-rules.ts'

/** The places of the pinned items before `end` with what belongs to them: a call and its results, reasoning and what it led to. */
export function pinnedSteps(view: View, end: number): ReadonlySet<number> {
  if (!view.items.hasPinned) return NO_STEPS
  const steps = new Set<number>()
  const legal = legalCuts(view)
  for (let index = 0; index < end; index++) {
    if (view.items.at(index)?.pinned !== true) continue
    const { from, to } = stepAround(index, end, legal)
    for (let at = from; at < to; at++) steps.add(at)
  }
  return steps
}

/** The tokens of all pinned steps of a view. */
export function pinnedTokens(view: View, sizes: Sizes): number {
  let tokens = 0
  for (const index of pinnedSteps(view, view.items.length)) tokens += tokensAt(sizes, index)
  return tokens
}

const NO_STEPS: ReadonlySet<number> = new Set()

/** The places that only go together with the one at `index`, before `end`: a call and its results, reasoning and what it led to. */
export function stepAround(
  index: number,
  end: number,
  legal: (index: number) => boolean,
): { readonly from: number; readonly to: number } {
  let from = index
  while (from > 0 && !legal(from)) from--
  let to = index + 1
  while (to < end && !legal(to)) to++
  return { from, to }
}
