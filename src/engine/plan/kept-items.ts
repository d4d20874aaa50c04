import type { Policy } from '../../model/policy/policy.ts'
import type { Item, View } from '../../model/types.ts'
import { pinnedSteps } from './pinned.ts'

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
