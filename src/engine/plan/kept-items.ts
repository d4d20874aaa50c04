import type { Policy } from '../../model/policy/policy.ts'
import type { Item, View } from '../../model/types.ts'
import { type Sizes, tokensAt } from '../../tokens/sizes.ts'
import { legalAtOrAfter, legalAtOrBefore, legalCuts } from './cut-rules.ts'

/** The items before the cut that stay verbatim: pinned steps and, if the policy says so, the user's latest message. */
export function keptItems(view: View, cut: number, policy: Pick<Policy, 'keepLatestMessage'>): readonly Item[] {
  return keptIndexes(view, cut, policy).flatMap((index) => view.items.at(index) ?? [])
}

/** The same as indexes of the view. */
export function keptIndexes(view: View, cut: number, policy: Pick<Policy, 'keepLatestMessage'>): readonly number[] {
  const latest = view.items.lastUser()
  const asked = policy.keepLatestMessage && latest !== -1 && latest < cut ? [latest] : []
  const pinned = pinnedSteps(view, cut)
  return pinned.size === 0 ? asked : [...new Set([...pinned, ...asked])].toSorted((a, b) => a - b)
}

/** The indexes of the pinned items before `end`, with the items that belong to them: a call and its results, reasoning and the step after it. */
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

/** The indexes that cannot be separated from `index`, before `end`: a call and its results, reasoning and the step after it. */
export function stepAround(
  index: number,
  end: number,
  legal: (index: number) => boolean,
): { readonly from: number; readonly to: number } {
  return { from: legalAtOrBefore(legal, index), to: legalAtOrAfter(legal, index + 1, end) }
}
