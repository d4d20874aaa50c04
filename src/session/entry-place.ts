import type { WirePlacedEntry } from '../contract/shapes/shapes.ts'
import { inactiveSeqs } from '../engine/context/view/activity.ts'
import { isBackSince, putBackIn } from '../engine/context/view/replaced-range.ts'
import type { Entry, EntryOf, MessageItem, Seq, SummaryItem } from '../model/types.ts'
import type { LiveSession } from './live-session.ts'

/**
 * The state of an entry in the view, and the entry that caused it. A leave-out has the state of its part: left out, or compacted
 * once a record covers it. A wish that was fulfilled names the entry that did it.
 */
export type EntryPlace = Pick<WirePlacedEntry, 'place' | 'by' | 'pinned'>

/** Returns a function that finds the place of each of these entries in the session's view. */
export function placeFinder(
  { log, view }: Pick<LiveSession, 'log' | 'view'>,
  entries: readonly Entry[],
): (entry: Entry) => EntryPlace {
  const inactive = inactiveSeqs(log)
  const wanted = new Set(entries.map(({ seq }) => seq))
  const shown = new Map<Seq, MessageItem>()
  const summaries: SummaryItem[] = []
  const leftOut = new Map<Seq, Seq>()
  for (const item of view.items.slice()) {
    if (item.kind === 'summary') summaries.push(item)
    else if (wanted.has(item.seq)) shown.set(item.seq, item)
    if (item.kind === 'message' && item.leftOut !== undefined)
      for (const { seq } of item.leftOut.items) leftOut.set(seq, item.leftOut.by)
  }
  const masked = new Map<Seq, Seq>()
  const redacted = new Map<Seq, Seq>()
  const squeezed = new Map<Seq, Seq>()
  const back = putBackIn(log, inactive)
  for (const entry of log) {
    if (inactive.has(entry.seq)) continue
    const isBack = (seq: Seq) => isBackSince(back, seq, entry.seq)
    if (entry.type === 'mask') for (const target of entry.targets) if (!isBack(target)) masked.set(target, entry.seq)
    if (entry.type === 'redact') redacted.set(entry.target, entry.seq)
    if (entry.type === 'squeeze' || entry.type === 'compaction')
      for (const { target } of entry.squeezes ?? []) if (!isBack(target)) squeezed.set(target, entry.seq)
  }
  const fulfilledBy = new Map(log.flatMap((entry) => (entry.type === 'leave-out' ? [[entry.wish, entry.seq]] : [])))
  const hiding = new Set(leftOut.values())
  const compactedBy = (seq: Seq) => summaries.find(({ from, upTo }) => from <= seq && seq <= upTo)?.seq
  const leaveOutPlace = ({ seq, targets, waits }: EntryOf<'leave-out'>): EntryPlace => {
    if (hiding.has(seq)) return { place: 'left-out' }
    if (waits === true) return { place: 'none', by: fulfilledBy.get(seq) }
    const first = targets[0]?.from ?? seq
    const newer = leftOut.get(first)
    return newer === undefined ? { place: 'compacted', by: compactedBy(first) } : { place: 'left-out', by: newer }
  }
  return (entry) => {
    const { seq } = entry
    if (inactive.has(seq)) return { place: 'undone' }
    const by = redacted.get(seq)
    if (by !== undefined) return { place: 'redacted', by }
    if (entry.type === 'leave-out') return leaveOutPlace(entry)
    if (entry.type !== 'message') return { place: 'none' }
    const hiddenBy = leftOut.get(seq)
    if (hiddenBy !== undefined) return { place: 'left-out', by: hiddenBy }
    const item = shown.get(seq)
    if (item === undefined) return { place: 'compacted', by: compactedBy(seq) }
    const pinned = item.pinned ? { pinned: true } : {}
    const mask = masked.get(seq)
    if (mask !== undefined) return { place: 'masked', by: mask, ...pinned }
    const squeeze = squeezed.get(seq)
    if (squeeze !== undefined) return { place: 'shortened', by: squeeze, ...pinned }
    return { place: entry.shown === undefined ? 'whole' : 'shortened', ...pinned }
  }
}
