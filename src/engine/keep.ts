import type { Seq } from '../model/ids.ts'
import type { Policy } from '../model/policy.ts'
import type { Item, View } from '../model/view.ts'
import { lastUserIndex } from './turns.ts'

/** What stays verbatim though it stands before the cut: pinned steps, and under `pith` what the user asked last. */
export function keptItems(view: View, cut: number, policy: Pick<Policy, 'preset'>): readonly Item[] {
  const items = view.items.slice(0, cut)
  const kept = new Set<Item>()
  for (const [index, item] of items.entries()) if (item.pinned) for (const one of stepOf(items, index)) kept.add(one)
  const latest = lastUserIndex(view.items, view.items.length)
  const asked = policy.preset === 'pith' && latest < cut ? items[latest] : undefined
  if (asked !== undefined) kept.add(asked)
  return items.filter((item) => kept.has(item))
}

/** A compaction's range is by place in the log; what was kept by an earlier one may stand in the tail all the same. */
export function keptSeqs(view: View, cut: number, kept: readonly Item[], upTo: Seq): Seq[] {
  const inTail = view.items.slice(cut).filter((item) => item.place <= upTo)
  return [...kept, ...inTail].map((item) => item.seq)
}

/** A call and its results are kept together. */
function stepOf(items: readonly Item[], index: number): readonly Item[] {
  let from = index
  while (from > 0 && items[from]?.message.role === 'tool') from--
  let to = from + 1
  while (items[to]?.message.role === 'tool') to++
  return items.slice(from, Math.max(to, index + 1))
}
