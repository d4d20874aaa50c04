import { type IndexDelta, mergeIndexes } from '../../model/log-index.ts'
import type { Item } from '../../model/view.ts'
import { indexDelta } from './index-delta.ts'
import { seenNames } from './text/seen-names.ts'

/** Finds facts in what leaves the view. */
export type FactFinder = (items: readonly Item[]) => IndexDelta

/** What some items add to the index: our own facts, and those of the caller. */
export function factsIn(items: readonly Item[], own?: FactFinder): IndexDelta {
  const seen = seenNames(items)
  const ours = seen.length === 0 ? indexDelta(items) : { ...indexDelta(items), seen }
  return own === undefined ? ours : mergeIndexes([ours, own(items)])
}
