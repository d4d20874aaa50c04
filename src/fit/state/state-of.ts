import type { Entry, EntryOf } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { Message } from '../../model/message/message.ts'
import type { Item, SummaryItem, View } from '../../model/view.ts'
import { boundedIndex } from './bounded-index.ts'
import { changeWithin, placesOf } from './change-within.ts'
import { prefixKeys } from './content-key.ts'
import {
  type Change,
  type ContextState,
  type Report,
  type Run,
  type SaidList,
  type SentList,
  sealed,
} from './context-state.ts'
import { type Conversation, countUpTo } from './conversation.ts'

/** What came of a conversation: its log and view now, and the messages that the caller gets if they are others. */
export type ConversationNow = {
  readonly log: readonly Entry[]
  readonly view: View
  readonly sent?: readonly Message[]
  readonly answeredAt?: number
}

/** The state of a conversation for the next call. Its size does not depend on the length of the conversation. */
export function contextStateOf(conversation: Conversation, now: ConversationNow): ContextState {
  const items = now.view.items.slice()
  const record = items.find((item) => item.kind === 'summary')
  const holds = new Set(items.map(({ seq }) => seq))
  const changes = changesOf(now.log, record, (seq) => holds.has(seq))
  const reports = reportsOf(now.log)
  const places = [...changes.flatMap(placesOf), ...reports.map(({ seq }) => seq)]
  return sealed({
    said: saidList(conversation, places, lastSeq(now.log)),
    sent: now.sent === undefined ? undefined : sentList(now.sent, items, compactionOf(changes)),
    changes,
    record: record?.message,
    reports,
    answeredAt: now.answeredAt,
  })
}

/** So many counts are enough to tell how a model counts. */
const MOST_REPORTS = 8

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

/** The last compaction has the facts of all before it. Of other changes what concerns the view is kept. */
function changesOf(log: readonly Entry[], record: SummaryItem | undefined, holds: (seq: Seq) => boolean): Change[] {
  const failures = failuresIn(log)
  const settled = log.findLast(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')
  return log.flatMap((entry): Change[] => {
    if (entry.type === 'message') return []
    if (entry.type === 'attempt') return failures.has(entry) ? [shortAttempt(entry)] : []
    if (entry.type === 'compaction' && entry.seq !== record?.seq) return []
    const kept = changeWithin(entry, holds)
    if (kept === undefined || (placesOf(kept).length === 0 && entry !== settled)) return []
    return kept.type === 'compaction' && record !== undefined ? [withFacts(kept, record)] : [kept]
  })
}

function withFacts(entry: EntryOf<'compaction'>, { index, text }: SummaryItem): EntryOf<'compaction'> {
  return { ...entry, summary: text, indexDelta: boundedIndex(index) }
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

function shortAttempt({ reason, ...attempt }: EntryOf<'attempt'>): EntryOf<'attempt'> {
  return { ...attempt, reason: reason.slice(0, 200) }
}

function saidList({ messages, seqs }: Conversation, places: readonly Seq[], last: Seq): SaidList {
  const own = prefixKeys(messages)
  const counts = new Set(places.map((place) => countUpTo(place, seqs)))
  const keys = [...counts].filter((count) => count > 0).toSorted((a, b) => a - b)
  return {
    runs: runsOf(seqs, last + 1),
    keys: keys.map((count) => ({ messages: count, key: own[count - 1] ?? '' })),
  }
}

/** The places of a list in short; the next message gets the place `next`. */
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

/** A list of our own is known again by its record and what is kept behind that, or by all of it. */
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

function compactionOf(changes: readonly Change[]): EntryOf<'compaction'> | undefined {
  return changes.find((change) => change.type === 'compaction')
}

function lastSeq(log: readonly Entry[]): Seq {
  return log.at(-1)?.seq ?? 0
}
