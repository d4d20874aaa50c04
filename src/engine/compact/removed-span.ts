import type { IndexDelta } from '../../model/log-index.ts'
import type { Policy } from '../../model/policy.ts'
import type { Item, View } from '../../model/view.ts'
import { type FactFinder, factsIn } from '../facts/index-delta.ts'
import { keptItems } from '../plan/kept-items.ts'

/** The items that leave a view, and the facts that they add to the index. */
export type RemovedSpan = { readonly items: readonly Item[]; readonly facts: IndexDelta }

/** Returns what leaves the view at a cut. Every rung asks, so the facts of the last cut are remembered. */
export function removing(
  view: View,
  policy: Policy,
  own?: FactFinder,
  /** Gives an item as it may be told. */
  tell: (item: Item) => Item = (item) => item,
): (cut: number) => RemovedSpan {
  let known: (RemovedSpan & { readonly cut: number }) | undefined
  return (cut) => {
    if (known?.cut !== cut) known = { cut, ...removedAt(view, cut, policy, tell, own) }
    return known
  }
}

function removedAt(
  view: View,
  cut: number,
  policy: Policy,
  tell: (item: Item) => Item,
  own: FactFinder | undefined,
): RemovedSpan {
  const kept = new Set(keptItems(view, cut, policy))
  const span = view.items.slice(0, cut)
  const items = (kept.size === 0 ? span : span.filter((item) => !kept.has(item))).map(tell)
  return { items, facts: factsIn(items, own) }
}
