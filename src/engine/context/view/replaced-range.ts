import { Items } from '../../../model/items.ts'
import { type Entry, type EntryOf, type Item, isLeftOutLine, type Seq, type View } from '../../../model/types.ts'

/** The range that a compaction removes from the view: all items with a place in it, except those of the entries to keep. */
export type ReplacedRange = Range & Pick<EntryOf<'compaction'>, 'keep'>

/** Places in the order of the log, both ends included. */
type Range = { readonly from: Seq; readonly upTo: Seq }

/** True for a place in the range, whether or not its item is kept. */
export function isInRange({ from, upTo }: Range, place: Seq): boolean {
  return from <= place && place <= upTo
}

/**
 * Returns a test whether a compaction removes an item. The item's place decides, which is not its seq if a repair moved it.
 * `stays` is true for further entries that stay: messages that were put back, for example.
 */
export function replacedBy(
  range: ReplacedRange,
  stays: (seq: Seq) => boolean = () => false,
): (seq: Seq, place?: Seq) => boolean {
  const kept = new Set(range.keep)
  return (seq, place = seq) => isInRange(range, place) && !kept.has(seq) && !stays(seq)
}

/** The log without the messages that a compaction removed, as opening the session would read it. */
export function withoutTakenOut(log: readonly Entry[], range: ReplacedRange, stays?: (seq: Seq) => boolean): Entry[] {
  const isOut = replacedBy(range, stays)
  return log.filter(({ type, seq }) => type !== 'message' || !isOut(seq))
}

/** Messages of a log, as a range or by name. */
export type MessageRange = { readonly from?: Seq; readonly upTo?: Seq; readonly seqs?: readonly Seq[] }

/** The messages that these compactions leave in the view: those outside their ranges, and those that they keep or that were put back. */
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
  const from = first === undefined ? 0 : firstPlace(first)
  const upTo = span.reduce((last, item) => Math.max(last, item.place), 0)
  // The range is by place in the log, so it may include items of the tail.
  const inTail = items.slice(cut).filter(({ place }) => place <= upTo)
  const stay = new Set(kept)
  return {
    range: { from, upTo, keep: [...kept, ...inTail].flatMap(messageSeqs) },
    items: stay.size === 0 ? span : span.filter((item) => !stay.has(item)),
  }
}

/** The first place that an item covers. */
function firstPlace(item: Item): Seq {
  if (item.kind === 'summary') return item.from
  if (!isLeftOutLine(item)) return item.place
  return item.leftOut.items.reduce((least, { place }) => Math.min(least, place), item.place)
}

/** The entries of the messages that an item shows or hides. */
function messageSeqs(item: Item): readonly Seq[] {
  return isLeftOutLine(item) ? item.leftOut.items.map(({ seq }) => seq) : [item.seq]
}

/** The number of messages of the log that the record of a compaction replaces. Earlier versions stored only the number it removed from the view. */
export function standsForOf({ standsFor, messages }: EntryOf<'compaction'>): number {
  return standsFor ?? messages
}

/**
 * The number of messages of the log that a record has replaced in all if it replaces these items of a view, `messages` in
 * number. For each record among them, and for each line about messages that were left out, the messages that it has replaced
 * are counted. A message that was put back from an earlier record is counted once if it is removed again, and not at all while
 * it stays in the view.
 */
export function replacedMessageCount(
  messages: number,
  removed: readonly Item[],
  { items }: Pick<View, 'items'>,
  log: readonly Entry[],
): number {
  const hidden = removed.reduce((sum, item) => sum + messageSeqs(item).length - 1, 0)
  const records = removed.filter((item) => item.kind === 'summary')
  if (records.length === 0) return messages + hidden
  const seqs = new Set(records.map(({ seq }) => seq))
  const earlier = log.flatMap((entry) =>
    entry.type === 'compaction' && seqs.has(entry.seq) ? [replacedBy(entry)] : [],
  )
  const isBack = ({ kind, seq, place }: Item) => kind === 'message' && earlier.some((isOut) => isOut(seq, place))
  let back = 0
  for (const item of items) if (isBack(item)) back++
  return records.reduce((sum, { standsFor }) => sum + standsFor - 1, messages + hidden - back)
}

/** The most messages of the log that a record of this view can stand for. */
export function mostReplacedMessages({ items }: Pick<View, 'items'>): number {
  return items.length + items.standsFor
}

/** The messages that the user has put back into the view, each with the newest active pin that did it. */
export type PutBack = ReadonlyMap<Seq, Seq>

export function putBackIn(log: readonly Entry[], inactive: ReadonlySet<Seq>): PutBack {
  const back = new Map<Seq, Seq>()
  for (const entry of log) {
    if (entry.type !== 'pin' || entry.back === undefined || inactive.has(entry.seq)) continue
    for (const seq of entry.back) back.set(seq, entry.seq)
  }
  return back
}

/** True if a message was put back after an entry had removed or shortened it. */
export function isBackSince(back: PutBack, seq: Seq, entry: Seq): boolean {
  return (back.get(seq) ?? 0) > entry
}

/**
 * The part of a view that a compaction may change: everything after the last compaction that a provider made itself. A provider
 * does not read anything before its own compaction, so a record must come after it.
 */
export function openPart(view: View): View {
  const { fenced } = view.items
  return fenced === 0 ? view : { ...view, items: Items.of(view.items.slice(fenced)) }
}
