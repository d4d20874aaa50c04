import type { Entry, EntryOf, Item } from '../../../model/types.ts'
import { inactiveSeqs } from './activity.ts'
import { viewOf } from './view-of.ts'

/** The view before and after a reduction, and each item that was removed, added, shortened or kept, in the view's order. */
export type ViewDiff = {
  readonly entry: ReductionEntry
  readonly before: readonly Item[]
  readonly after: readonly Item[]
  readonly lines: readonly DiffLine[]
}

export type DiffLine =
  | { readonly change: 'removed' | 'added' | 'kept'; readonly item: Item }
  | { readonly change: 'shortened'; readonly item: Item; readonly from: Item }

export type ReductionEntry = EntryOf<'compaction' | 'mask' | 'squeeze' | 'leave-out'>

/** The view before and after the last reduction that is not undone; undefined if there was none. */
export function lastReduction(log: readonly Entry[]): ViewDiff | undefined {
  const inactive = inactiveSeqs(log)
  const place = log.findLastIndex((entry) => isReduction(entry) && !inactive.has(entry.seq))
  const entry = log[place]
  if (entry === undefined || !isReduction(entry)) return undefined
  const before = viewOf(log.slice(0, place)).items.slice()
  const after = viewOf(log.slice(0, place + 1)).items.slice()
  return { entry, before, after, lines: linesOf(before, after) }
}

function linesOf(before: readonly Item[], after: readonly Item[]): DiffLine[] {
  const now = new Map(after.map((item) => [item.seq, item]))
  const then = new Set(before.map((item) => item.seq))
  const added = after.filter((item) => !then.has(item.seq)).map((item): DiffLine => ({ change: 'added', item }))
  const rest = before.map((item): DiffLine => {
    const left = now.get(item.seq)
    if (left === undefined) return { change: 'removed', item }
    return left.message === item.message ? { change: 'kept', item } : { change: 'shortened', item: left, from: item }
  })
  const removed = rest.filter(({ change }) => change === 'removed')
  // A replacement goes between the items that it replaced and those that were kept.
  return [...removed, ...added, ...rest.filter(({ change }) => change !== 'removed')]
}

/** True for an entry that takes something out of the view. */
export function isReduction(entry: Entry): entry is ReductionEntry {
  if (entry.type === 'leave-out') return entry.waits !== true
  return entry.type === 'compaction' || entry.type === 'mask' || entry.type === 'squeeze'
}
