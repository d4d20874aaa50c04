import { mergeIndexes, withoutEntries } from '../../../model/facts/log-index.ts'
import type { Rung, Style } from '../../../model/policy/policy.ts'
import type { EntryOf, Message, RecordPart, Seq, SummaryItem } from '../../../model/types.ts'
import { framedParts, frameWords, recordMessage, textOfParts, withNarrative } from '../../record/compose.ts'
import { FLAGGED } from '../../record/prompts/record-texts.ts'
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
export function summaryItem(live: LiveSummary, rendered: readonly RenderedSummary[] = []): SummaryItem {
  const known = rendered.find((one) => one.live.entry === live.entry && isSame(one.live, live))
  if (known !== undefined) return known.item
  const deltas = live.sources.map((entry) => entry.indexDelta)
  const gone = new Set(live.redacted)
  const comesFrom = (part: RecordPart) => part.from.some((seq) => gone.has(seq))
  const { parts, summary } = withoutParts({ ...live.entry, parts: partsOf(live.entry) }, comesFrom)
  const isAsMade = live.text === live.entry.summary
  const message = recordMessage(live.entry.frame, isAsMade ? parts : withWords(live.entry.frame, parts, live.text))
  return {
    ...itemWithoutIndex(live, message),
    ...(isAsMade ? { text: summary } : {}),
    index: withoutEntries(mergeIndexes(deltas), gone),
  }
}

function partsOf(entry: EntryOf<'compaction'>): readonly RecordPart[] {
  const { frame, parts, messages, flagged, summary } = entry
  return (
    parts ?? framedParts({ frame, parts: frameWords(frame, summary), messages, standsFor: standsForOf(entry), flagged })
  )
}

/** True for a record of lines from the log, each of which says where it comes from. Other words may repeat any entry that they cover. */
export function isOfLines({ rung, parts }: { readonly rung: Rung; readonly parts?: unknown }): boolean {
  return rung === 'digest' && parts !== undefined
}

type Words = Pick<EntryOf<'compaction'>, 'rung' | 'summary'> & { readonly parts: readonly RecordPart[] }

/** A record without some of its parts. They stay as empty ones. */
export function withoutParts(words: Words, isGone: (part: RecordPart) => boolean): Words {
  if (!words.parts.some((part) => part.text !== '' && isGone(part))) return words
  const parts = words.parts.map((part) => (isGone(part) ? { ...part, text: '' } : part))
  const summary = isOfLines(words) ? textOfParts(parts.filter(({ narrative }) => narrative)) : words.summary
  return { ...words, parts, summary }
}

/** The parts of a record with other words of its author. The names that were doubtful in redacted words go with them. */
export function withWords(frame: Style, parts: readonly RecordPart[], text: string): readonly RecordPart[] {
  const known = text === REDACTED_SUMMARY ? parts.filter((part) => !hasDoubts(part)) : parts
  if (frame === 'pith') return withNarrative(known, text)
  const at = known.findIndex(({ narrative }) => narrative === true)
  const others = known.filter(({ narrative }) => narrative !== true)
  return others.toSpliced(at === -1 ? others.length : at, 0, ...frameWords(frame, text))
}

/** True for a part that is not around a record, but says something of the conversation. */
export function saysSomething(part: RecordPart): boolean {
  const { section, from, narrative } = part
  return section !== undefined || narrative === true || from.length > 0 || hasDoubts(part)
}

function hasDoubts({ section, from, text }: RecordPart): boolean {
  return section === undefined && from.length === 0 && text.startsWith(`\n${FLAGGED}`)
}

/** True if two lists have the very same elements. */
function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((fact, i) => fact === other[i]))
}

function isSame(a: LiveSummary, b: LiveSummary): boolean {
  return a.text === b.text && isSameList(a.sources, b.sources) && isSameList(a.redacted, b.redacted)
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
    text,
    written: isWritten(entry, text),
    ...(by === undefined ? {} : { by }),
    frame,
    pinned: false,
  }
}

/** True if a model or the user wrote the words of a summary. */
function isWritten({ rung, summary }: EntryOf<'compaction'>, text: string): boolean {
  return rung !== 'digest' || text !== summary
}

function sourcesOf(summary: UnrenderedSummary): EntryOf<'compaction'>[] {
  return summariesIn(summary)
    .reverse()
    .map(({ entry }) => entry)
}

/** A summary and those that it replaced, the newest first. */
export function summariesIn(summary: UnrenderedSummary): UnrenderedSummary[] {
  // Not recursive: a session may have been compacted thousands of times.
  const newestFirst: UnrenderedSummary[] = []
  const open = [summary]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    newestFirst.push(next)
    for (const replaced of next.replaced) open.push(replaced)
  }
  return newestFirst
}
