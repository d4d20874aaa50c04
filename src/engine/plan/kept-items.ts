import type { Policy } from '../../model/policy/policy.ts'
import type { Item, View } from '../../model/view.ts'
import { pinnedSteps } from './pinned.ts'
import { lastUserIndex } from './user-index.ts'

/** The items before the cut that stay verbatim: pinned steps and, if the policy says so, the user's latest message. */
export function keptItems(view: View, cut: number, policy: Pick<Policy, 'keepLatestMessage'>): readonly Item[] {
  const latest = lastUserIndex(view.items, view.items.length)
  const asked = policy.keepLatestMessage && latest < cut ? view.items.at(latest) : undefined
  const pinned = pinnedSteps(view, cut)
  if (pinned.size === 0) return asked === undefined ? [] : [asked]
  return view.items.slice(0, cut).filter((item) => item === asked || pinned.has(item))
}
