import { emptyIndex, listedIn, mergeIndexes, withoutEntries } from '../../../model/facts/log-index.ts'
import type { EntryOf, Index, Message, Seq, SummaryItem } from '../../../model/types.ts'
import { frameSummary } from '../../record/frame.ts'
import { recordIn } from '../../record/read/read-record.ts'
import { mayBeRecord } from '../../record/read/record-place.ts'
import { areStored, isSameList, type RecordFacts } from '../../record/sections/record-facts.ts'
import { standsForOf } from './replaced-range.ts'

/** A summary while the log is folded: the indexes of the summaries it replaced are merged only for the final view. */
export type UnrenderedSummary = {
  readonly kind: 'summary'
  readonly seq: Seq
  readonly place: Seq
  readonly entry: EntryOf<'compaction'>
  readonly text: string
  readonly replaced: readonly UnrenderedSummary[]
}

/** The words of a summary that covers a redacted entry. */
export const REDACTED_SUMMARY =
  '[this summary covered an entry that the user redacted; the facts below come from the log]'

/** A summary of the view, and everything that its item is made of. */
export type LiveSummary = {
  readonly entry: EntryOf<'compaction'>
  readonly place: Seq
  readonly text: string
  /** The compactions whose facts it has; it is itself the last one. */
  readonly sources: readonly EntryOf<'compaction'>[]
  readonly redacted: readonly Seq[]
}

export function liveSummary(summary: UnrenderedSummary, redacted: ReadonlySet<Seq>): LiveSummary {
  const { entry, place, text } = summary
  return { entry, place, text, sources: sourcesOf(summary), redacted: [...redacted] }
}

/** A rendered summary: its facts are merged once, not every time the log is folded. */
export type RenderedSummary = { readonly live: LiveSummary; readonly item: SummaryItem }

/** The item of a summary, without facts from redacted entries. */
export function summaryItem(
  live: LiveSummary,
  rendered: readonly RenderedSummary[] = [],
  before?: RecordFacts,
): SummaryItem {
  const known = rendered.find((one) => one.live.entry === live.entry && isSame(one.live, live))
  if (known !== undefined) return known.item
  const deltas = live.sources.map((entry) => entry.indexDelta)
  const isKnown = before !== undefined && live.redacted.length === 0 && isAlone(live) && areStored(before, live.entry)
  const redacted = new Set(live.redacted)
  const index = withoutEntries(mergeIndexes(deltas), redacted)
  const { since } = live.entry
  const shown = since === undefined ? index : withoutEntries(mergeIndexes([...deltas, since]), redacted)
  return { ...render(live, shown, isKnown ? before : undefined), index }
}

/** True for a record that has the facts of its own span only. */
function isAlone({ entry, sources }: LiveSummary): boolean {
  return sources.length === 1 && sources[0] === entry
}

function isSame(a: LiveSummary, b: LiveSummary): boolean {
  return a.text === b.text && isSameList(a.sources, b.sources) && isSameList(a.redacted, b.redacted)
}

function render(live: LiveSummary, index: Index, before: RecordFacts | undefined): Omit<SummaryItem, 'index'> {
  const { entry, text } = live
  const { indexFacts, frame, messages, flagged, form, keep, indexTokens, userTokens, nameTokens } = entry
  const budget = { indexTokens, userTokens, nameTokens }
  const shown = indexFacts === undefined ? index : { ...emptyIndex, files: [...listedIn(index)] }
  const standsFor = standsForOf(entry)
  const facts = { index: shown, before, budget, messages, standsFor, flagged, form, shown: keep }
  const message = frameSummary({ frame, summary: text, ...facts })
  return itemWithoutIndex(live, message)
}

/** The item of a summary without its facts, which may be read later. */
export function itemWithoutIndex({ entry, place, text }: LiveSummary, message: Message): Omit<SummaryItem, 'index'> {
  const { seq, from, upTo, frame, by } = entry
  return {
    kind: 'summary',
    seq,
    place,
    from,
    upTo,
    standsFor: standsForOf(entry),
    message,
    text: frame === 'keen' ? narrativeOf(entry, text) : text,
    written: isWritten(entry, text),
    ...(by === undefined ? {} : { by }),
    frame,
    pinned: false,
  }
}

/** The facts of a record that came back are in the index, so they are not repeated as text. */
function narrativeOf({ indexDelta }: EntryOf<'compaction'>, text: string): string {
  if (!mayBeRecord(text)) return text
  const quoted = (indexDelta.users ?? []).length === 0 ? 'kept' : 'left-out'
  return recordIn(text, { quoted })?.narrative ?? text
}

/** True if a model or the user wrote the words of a summary. Earlier versions stored no facts from which they could be rendered again. */
function isWritten({ form, rung, summary }: EntryOf<'compaction'>, text: string): boolean {
  return form === undefined || rung !== 'digest' || text !== summary
}

function sourcesOf(summary: UnrenderedSummary): EntryOf<'compaction'>[] {
  // Not recursive: a session may have been compacted thousands of times.
  const newestFirst: UnrenderedSummary[] = []
  const open = [summary]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    newestFirst.push(next)
    for (const replaced of next.replaced) open.push(replaced)
  }
  return newestFirst.reverse().map(({ entry }) => entry)
}
