import type { Entry, EntryOf, IndexDelta, Item, Message, Seq, SummaryItem, View } from '../../model/types.ts'
import { prefixKeys } from './content-key.ts'
import {
  type Change,
  type ContextState,
  changeWithin,
  type GivenList,
  MOST_REPORTS,
  placesOf,
  type Report,
  type Run,
  type SentList,
  sealed,
} from './context-state.ts'
import { type Conversation, compactionIn, countUpTo } from './conversation.ts'

/** A conversation after a call: its log and view, and the messages for the caller if they are others. */
export type ConversationNow = {
  readonly log: readonly Entry[]
  readonly view: View
  readonly sent?: readonly Message[]
  readonly answeredAt?: number
  /** Keeps the facts within the size of a state. Absent if the record is that of the last state, whose facts are. */
  readonly bounded?: (facts: IndexDelta) => IndexDelta
}

/** The state of a conversation for the next call. Its size does not depend on the length of the conversation. */
export function contextStateOf(conversation: Conversation, now: ConversationNow): ContextState {
  const items = now.view.items.slice()
  const record = items.find((item) => item.kind === 'summary')
  const holds = new Set(items.map(({ seq }) => seq))
  const changes = changesOf(now, record, (seq) => holds.has(seq))
  const reports = reportsOf(now.log)
  const compaction = compactionIn(changes)
  const places = [...changes.flatMap(placesOf), ...reports.map(({ seq }) => seq)].toSorted((a, b) => a - b)
  const [needed] = compaction === undefined ? [] : placesOf(compaction)
  return sealed({
    said: givenList(conversation, aFewOf(places, needed), now.log.at(-1)?.seq ?? 0),
    sent: now.sent === undefined ? undefined : sentList(now.sent, items, compaction),
    changes,
    record: record?.message,
    reports,
    answeredAt: now.answeredAt,
  })
}

function reportsOf(log: readonly Entry[]): Report[] {
  const reports: Report[] = []
  for (let i = log.length - 1; i >= 0 && reports.length < MOST_REPORTS; i--) {
    const entry = log[i]
    if (entry?.type !== 'message' || entry.usage === undefined) continue
    const { seq, usage, model, at } = entry
    reports.unshift({ seq, usage, model, at })
  }
  return reports
}

/** The last compaction has the facts of all before it. Of the other changes, those that concern the view are kept. */
function changesOf(
  { log, bounded = (facts) => facts }: ConversationNow,
  record: SummaryItem | undefined,
  holds: (seq: Seq) => boolean,
): Change[] {
  const failures = failuresIn(log)
  const settled = log.findLast(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')
  return log.flatMap((entry): Change[] => {
    if (entry.type === 'message') return []
    if (entry.type === 'attempt') return failures.has(entry) ? [{ ...entry, reason: entry.reason.slice(0, 200) }] : []
    if (entry.type === 'compaction' && entry.seq !== record?.seq) return []
    const kept = changeWithin(entry, holds)
    if (kept === undefined || (placesOf(kept).length === 0 && entry !== settled)) return []
    if (kept.type !== 'compaction' || record === undefined) return [kept]
    // The record itself is stored once, as it was sent.
    return [{ ...kept, parts: undefined, summary: record.text, indexDelta: bounded(record.index) }]
  })
}

const MOST_FAILURES = 8

/** The failures since a model last wrote a summary: the breaker counts them. */
function failuresIn(log: readonly Entry[]): ReadonlySet<Entry> {
  const from = log.findLastIndex(
    (entry) => entry.type === 'compaction' && (entry.rung === 'warm' || entry.rung === 'cold'),
  )
  const failed = log.slice(from + 1).filter((entry) => entry.type === 'attempt' && entry.outcome === 'failed')
  return new Set(failed.slice(-MOST_FAILURES))
}

/** Many results may be masked. If a list is cut later, the changes after the last of these places before the cut are lost. */
const MOST_PLACES = 32

/** The last place, others at even distances, and the one that is needed to know the conversation again. */
function aFewOf(places: readonly Seq[], needed: Seq | undefined): Seq[] {
  const every = Math.ceil(places.length / MOST_PLACES)
  return places.filter((place, i) => place === needed || (places.length - 1 - i) % every === 0)
}

function givenList({ messages, seqs, keys: known }: Conversation, places: readonly Seq[], last: Seq): GivenList {
  const own = prefixKeys(messages, known)
  const counts = new Set(places.map((place) => countUpTo(place, seqs)))
  const keys = [...counts].filter((count) => count > 0).toSorted((a, b) => a - b)
  return {
    runs: runsOf(seqs, last + 1),
    keys: keys.map((count) => ({ messages: count, key: own[count - 1] ?? '' })),
  }
}

/** The places of a list in a short form; the next message gets the place `next`. */
export function runsOf(seqs: readonly Seq[], next: Seq): Run[] {
  const runs: { at: number; seq: Seq; count: number }[] = []
  for (const [at, seq] of seqs.entries()) {
    const run = runs.at(-1)
    if (seq === 0) continue
    if (run !== undefined && run.at + run.count === at && run.seq + run.count === seq) run.count++
    else runs.push({ at, seq, count: 1 })
  }
  return [...runs, { at: seqs.length, seq: next }]
}

/** A list of ours is recognised by its record and the kept messages after it, or by all of it. */
function sentList(
  sent: readonly Message[],
  items: readonly Item[],
  compaction: EntryOf<'compaction'> | undefined,
): SentList {
  const first = sent.findIndex(({ role }) => role !== 'system')
  const kept = items
    .filter((item) => item.kind === 'message' && item.place <= (compaction?.upTo ?? 0))
    .map(({ seq }) => seq)
  const messages = compaction === undefined ? sent.length : 1 + kept.length
  const key = prefixKeys(sent.slice(0, messages)).at(-1) ?? ''
  return { messages: sent.length, system: Math.max(0, first), kept, known: { messages, key } }
}
