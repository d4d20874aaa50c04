import { runningTotals } from '../../model/values/sequence.ts'
import type { Item, View } from '../../model/view.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { legalCuts } from './cuts.ts'

/** The pinned items before `end` with what belongs to them: a call and its results, reasoning and what it led to. */
export function pinnedSteps(view: View, end: number): ReadonlySet<Item> {
  if (!hasPinned(view)) return NO_STEPS
  const steps = new Set<Item>()
  const items = view.items.slice(0, end)
  const legal = legalCuts(view)
  for (const [index, item] of items.entries()) {
    if (item.pinned) for (const one of stepAround(items, index, legal)) steps.add(one)
  }
  return steps
}

/** The tokens of all pinned steps of a view. */
export function pinnedTokens(view: View, estimator: Estimator): number {
  if (!hasPinned(view)) return 0
  const steps = [...pinnedSteps(view, view.items.length)]
  return steps.reduce((sum, item) => sum + messageTokens(item.message, estimator), 0)
}

const NO_STEPS: ReadonlySet<Item> = new Set()

/** A running total tells, without a look at every item. */
function hasPinned({ items }: View): boolean {
  return lastPinned(items)[items.length] !== -1
}

const lastPinned = runningTotals<Item>(-1, (last, item, index) => (item.pinned ? index : last))

/** The items that only go together with the one at `index`: a call and its results, reasoning and what it led to. */
export function stepAround(items: readonly Item[], index: number, legal: (index: number) => boolean): readonly Item[] {
  let from = index
  while (from > 0 && !legal(from)) from--
  let to = index + 1
  while (to < items.length && !legal(to)) to++
  return items.slice(from, to)
}
