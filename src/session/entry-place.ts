import type { WirePlacedEntry } from '../contract/shapes/shapes.ts'
import { inactiveSeqs } from '../engine/context/view/activity.ts'
import { isBackSince, putBackIn } from '../engine/context/view/put-back.ts'
import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { View } from '../model/view.ts'
import type { LiveSession } from './live-session.ts'

/** What became of an entry in the view, and by which other entry. */
export type EntryPlace = Pick<WirePlacedEntry, 'place' | 'by' | 'pinned'>

/** All pages of a view share its lookup. */
const known = new WeakMap<View, (entry: Entry) => EntryPlace>()

/** Tells the place of an entry of a session in its view. */
export function placeFinder(live: Pick<LiveSession, 'log' | 'view'>): (entry: Entry) => EntryPlace {
  const placeOf = known.get(live.view) ?? placesIn(live)
  known.set(live.view, placeOf)
  return placeOf
}

/** Makes the lookup of the place that each entry of a session has in the view. */
function placesIn({ log, view }: Pick<LiveSession, 'log' | 'view'>): (entry: Entry) => EntryPlace {
  const inactive = inactiveSeqs(log)
  const active = log.filter(({ seq }) => !inactive.has(seq))
  const items = view.items.slice()
  const shown = new Map(items.flatMap((item) => (item.kind === 'message' ? [[item.seq, item] as const] : [])))
  const summaries = items.flatMap((item) => (item.kind === 'summary' ? [item] : []))
  const masked = new Map<Seq, Seq>()
  const redacted = new Map<Seq, Seq>()
  const squeezed = new Map<Seq, Seq>()
  const back = putBackIn(log, inactive)
  for (const entry of active) {
    const isBack = (seq: Seq) => isBackSince(back, seq, entry.seq)
    if (entry.type === 'mask') for (const target of entry.targets) if (!isBack(target)) masked.set(target, entry.seq)
    if (entry.type === 'redact') redacted.set(entry.target, entry.seq)
    if (entry.type === 'squeeze' || entry.type === 'compaction')
      for (const { target } of entry.squeezes ?? []) if (!isBack(target)) squeezed.set(target, entry.seq)
  }
  return (entry) => {
    const { seq } = entry
    if (inactive.has(seq)) return { place: 'undone' }
    const by = redacted.get(seq)
    if (by !== undefined) return { place: 'redacted', by }
    if (entry.type !== 'message') return { place: 'none' }
    const item = shown.get(seq)
    if (item === undefined) {
      const summary = summaries.find(({ from, upTo }) => from <= seq && seq <= upTo)
      return { place: 'compacted', by: summary?.seq }
    }
    const pinned = item.pinned ? { pinned: true } : {}
    const mask = masked.get(seq)
    if (mask !== undefined) return { place: 'masked', by: mask, ...pinned }
    const squeeze = squeezed.get(seq)
    if (squeeze !== undefined) return { place: 'shortened', by: squeeze, ...pinned }
    return { place: entry.shown === undefined ? 'whole' : 'shortened', ...pinned }
  }
}
