import type { Entry, EntryOf } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import type { Item, View } from '../../../model/view.ts'
import { isBackSince, type PutBack } from './put-back.ts'

/** What a compaction takes out of the view: all items with a place in the range, except those of the entries to keep. */
export type ReplacedRange = Range & Pick<EntryOf<'compaction'>, 'keep'>

/** Places in the order of the log, both ends included. */
type Range = { readonly from: Seq; readonly upTo: Seq }

/** True for a place in the range, whatever stays of it. */
export function isInRange({ from, upTo }: Range, place: Seq): boolean {
  return from <= place && place <= upTo
}

/**
 * Tells whether a compaction takes an item out. An item goes by its place, which is not its seq where a repair moved it.
 * `stays` tells which entries stay beside those that the compaction keeps: messages that came back, for example.
 */
export function takenOutBy(
  range: ReplacedRange,
  stays: (seq: Seq) => boolean = () => false,
): (seq: Seq, place?: Seq) => boolean {
  const kept = new Set(range.keep)
  return (seq, place = seq) => isInRange(range, place) && !kept.has(seq) && !stays(seq)
}

/** The log without the messages that a compaction took out, as opening the session would read it. */
export function withoutTakenOut(log: readonly Entry[], range: ReplacedRange, stays?: (seq: Seq) => boolean): Entry[] {
  const isOut = takenOutBy(range, stays)
  return log.filter(({ type, seq }) => type !== 'message' || !isOut(seq))
}

/** Messages of a log, as a range or by name. */
export type MessageRange = { readonly from?: Seq; readonly upTo?: Seq; readonly seqs?: readonly Seq[] }

/** The messages that these compactions leave in the view: those outside their ranges, and those that they keep or that came back. */
export function rangesLeft(compactions: readonly EntryOf<'compaction'>[], back: PutBack): MessageRange[] {
  const left: MessageRange[] = []
  let from = 0
  for (const entry of compactions.toSorted((a, b) => a.from - b.from)) {
    if (entry.from > from) left.push({ from, upTo: entry.from - 1 })
    from = Math.max(from, entry.upTo + 1)
    const stay = [...entry.keep, ...[...back.keys()].filter((seq) => isBackSince(back, seq, entry.seq))]
    if (stay.length > 0) left.push({ seqs: [...new Set(stay)] })
  }
  return [...left, { from }]
}

/** The range for a cut, and the items that leave the view with it. `kept` are the items before the cut that stay. */
export function replacedAt(
  { items }: Pick<View, 'items'>,
  cut: number,
  kept: readonly Item[],
): { readonly range: ReplacedRange; readonly items: readonly Item[] } {
  const span = items.slice(0, cut)
  const first = span[0]
  const from = first?.kind === 'summary' ? first.from : (first?.place ?? 0)
  const upTo = span.reduce((last, item) => Math.max(last, item.place), 0)
  // The range goes by place in the log, so it may hold items of the tail.
  const inTail = items.slice(cut).filter(({ place }) => place <= upTo)
  const stay = new Set(kept)
  return {
    range: { from, upTo, keep: [...kept, ...inTail].map(({ seq }) => seq) },
    items: stay.size === 0 ? span : span.filter((item) => !stay.has(item)),
  }
}

/** How many messages of the log the record of a compaction stands for. Earlier versions stored only what it took out of the view. */
export function standsForOf({ standsFor, messages }: EntryOf<'compaction'>): number {
  return standsFor ?? messages
}

/**
 * How many messages of the log a record stands for that takes the place of these items of a view, `messages` of them: in the
 * place of each record among them come the messages behind it. One that came back from behind a record is counted once if it
 * is taken out again, and not at all while it stays in the view.
 */
export function messagesBehind(
  messages: number,
  removed: readonly Item[],
  { items }: Pick<View, 'items'>,
  log: readonly Entry[],
): number {
  const records = removed.filter((item) => item.kind === 'summary')
  if (records.length === 0) return messages
  const seqs = new Set(records.map(({ seq }) => seq))
  const earlier = log.flatMap((entry) =>
    entry.type === 'compaction' && seqs.has(entry.seq) ? [takenOutBy(entry)] : [],
  )
  const isBack = ({ kind, seq, place }: Item) => kind === 'message' && earlier.some((isOut) => isOut(seq, place))
  let back = 0
  for (const item of items) if (isBack(item)) back++
  return records.reduce((sum, { standsFor }) => sum + standsFor - 1, messages - back)
}

/** The most messages of the log that a record of this view can stand for. */
export function mostBehind({ items }: Pick<View, 'items'>): number {
  return items.length + items.standsFor
}
