import type { FoldCache } from '../../engine/context/view/plain-view.ts'
import { RECORD_START } from '../../engine/record/prompts/record-texts.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { type Entry, type EntryOf, type Message, type Seq, textOf, type Usage } from '../../model/types.ts'
import { prefixKeys } from './content-key.ts'
import {
  type Change,
  type ContextState,
  changeWithin,
  placesOf,
  type Report,
  type Run,
  readState,
} from './context-state.ts'

/** A list of messages that somebody else keeps, as a log, with everything that its view needs. */
export type Conversation = {
  readonly messages: readonly Message[]
  /** The place of each message in the log; 0 for the record. */
  readonly seqs: readonly Seq[]
  readonly log: readonly Entry[]
  /** The keys of its prefixes, if an earlier call has made them. */
  readonly keys?: readonly string[]
  readonly answeredAt?: number
  /** The record of its last compaction as it was sent. */
  readonly record?: Message
  /** The results that a fold of its log can reuse. */
  readonly made?: FoldCache
  /** Why the given state is not used. */
  readonly ignored?: string
}

/** `leading`: the number of messages at the front that are instructions, not part of the conversation. */
export type OpenOptions = { readonly state?: unknown; readonly leading?: number }

/**
 * Opens a list of messages with the state that an earlier call returned. The list continues the one that call got, or the
 * one it returned. A state that is broken or belongs to other messages is ignored.
 */
export function openConversation(messages: readonly Message[], { state, leading = 0 }: OpenOptions = {}): Conversation {
  if (state === undefined || state === null) return plainConversation(messages.slice(leading))
  try {
    return opened(messages, leading, readState(state))
  } catch (error) {
    return { ...plainConversation(messages.slice(leading)), ignored: messageOf(error) }
  }
}

/** True for a conversation that has, or may have, a record of ours. The record must be read before anything else. */
export function hasRecord({ log: [first], record }: Conversation): boolean {
  return record !== undefined || (first?.type === 'message' && textOf(first.message).includes(RECORD_START))
}

/** The conversation with the provider's count for its last answer. */
export function withUsage(conversation: Conversation, usage: Usage | undefined): Conversation {
  const { log } = conversation
  const at = log.findLastIndex((entry) => entry.type === 'message' && entry.message.role === 'assistant')
  const answer = log[at]
  if (usage === undefined || answer?.type !== 'message') return conversation
  return { ...conversation, log: log.with(at, { ...answer, usage }) }
}

function plainConversation(messages: readonly Message[]): Conversation {
  return {
    messages,
    seqs: messages.map((_, i) => i + 1),
    log: messages.map((message, i) => messageEntry(message, i + 1)),
  }
}

function opened(messages: readonly Message[], leading: number, state: ContextState): Conversation {
  const conversation = messages.slice(leading)
  return (
    openSent(messages, leading, state) ??
    openGiven(conversation, state) ?? { ...plainConversation(conversation), ignored: OTHER_MESSAGES }
  )
}

const OTHER_MESSAGES = 'state: belongs to other messages than these'

/** Opens a list that continues the returned one: its changes are already applied, except for the record and its facts. */
function openSent(messages: readonly Message[], leading: number, state: ContextState): Conversation | undefined {
  const { sent } = state
  if (sent === undefined) return undefined
  const list = messages.slice(Math.max(0, leading - sent.system))
  if (prefixKeys(list.slice(0, sent.known.messages)).at(-1) !== sent.known.key) return undefined
  const compaction = compactionIn(state.changes)
  const records = compaction === undefined ? 0 : 1
  const front = records + sent.kept.length
  const from = compaction?.upTo ?? 0
  const firstChange = from + sent.messages - front + 1
  const changes = renumbered(doneChanges(state.changes), firstChange)
  const next = firstChange + changes.length
  const seqs = list.map((_, i) => {
    if (i < front) return i < records ? 0 : (sent.kept[i - records] ?? 0)
    return i < sent.messages ? from + 1 + i - front : next + i - sent.messages
  })
  return conversationOf(list, seqs, { ...state, changes, reports: [] })
}

/** Changes that are already in the messages: only the fact that they happened is left. */
function doneChanges(changes: readonly Change[]): Change[] {
  return changes.flatMap((change): Change[] => {
    switch (change.type) {
      case 'compaction':
        return [{ ...change, squeezes: undefined }]
      case 'mask':
        return [{ ...change, targets: [] }]
      case 'squeeze':
        return [{ ...change, squeezes: [] }]
      case 'attempt':
        return [change]
      default:
        return []
    }
  })
}

function renumbered(changes: readonly Change[], first: Seq): Change[] {
  return changes.map((change, i) => ({ ...change, id: `e${first + i}`, seq: first + i }))
}

/**
 * Opens a list that continues the one that the earlier call got, or a part of it. Only changes that depend on that part are
 * valid: later ones belong to another conversation, or were undone.
 */
function openGiven(messages: readonly Message[], state: ContextState): Conversation | undefined {
  const { keys, runs } = state.said
  const own = prefixKeys(messages)
  const known = keys.findLast(({ messages: count, key }) => own[count - 1] === key)
  if (known === undefined && keys.length > 0) return undefined
  const seqs = seqsOf(runs, Math.max(messages.length, keys.at(-1)?.messages ?? 0))
  const holds = (seq: Seq) => countUpTo(seq, seqs) <= (known?.messages ?? 0)
  const compaction = compactionIn(state.changes)
  // Without the compaction the places of the messages that it covers are unknown.
  if (compaction !== undefined && !holds(placesOf(compaction)[0] ?? 0)) return undefined
  const changes = state.changes.flatMap((change) => changeWithin(change, holds) ?? [])
  const reports = state.reports.filter(({ seq }) => holds(seq))
  return conversationOf(messages, seqs.slice(0, messages.length), { ...state, changes, reports })
}

/** The number of messages up to this place of the log. */
export function countUpTo(place: Seq, seqs: readonly Seq[]): number {
  // The places of a list ascend, and that of the record in front, 0, is the lowest.
  let [from, to] = [0, seqs.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((seqs[middle] ?? 0) <= place) from = middle + 1
    else to = middle
  }
  return from
}

/** The places of the first messages of a list. */
export function seqsOf(runs: readonly Run[], count: number): Seq[] {
  const seqs = new Array<Seq>(count).fill(0)
  for (const run of runs) {
    const end = Math.min(count, run.at + (run.count ?? Number.POSITIVE_INFINITY))
    for (let i = run.at; i < end; i++) seqs[i] = run.seq + i - run.at
  }
  return seqs
}

/** Everything known about a conversation apart from its messages. */
type ConversationFacts = Pick<ContextState, 'changes' | 'reports' | 'record' | 'answeredAt'>

/** The log of a list of messages with these places, and its changes. */
export function conversationOf(
  messages: readonly Message[],
  seqs: readonly Seq[],
  { changes, reports, record, answeredAt }: ConversationFacts,
): Conversation {
  const reportAt = new Map(reports.map((report) => [report.seq, report]))
  const compaction = changes.findLast((change) => change.type === 'compaction')
  const entries = messages.flatMap((message, i) => {
    const seq = seqs[i] ?? 0
    return seq === 0 || isCovered(seq, compaction) ? [] : [messageEntry(message, seq, reportAt.get(seq))]
  })
  const log = [...entries, ...changes].toSorted((a, b) => a.seq - b.seq)
  return { messages, seqs, log, answeredAt, record }
}

export function messageEntry(message: Message, seq: Seq, report?: Report): EntryOf<'message'> {
  return {
    type: 'message',
    id: `e${seq}`,
    seq,
    at: report?.at ?? 0,
    message,
    usage: report?.usage,
    model: report?.model,
  }
}

/** True for a place that only the record covers now. */
function isCovered(seq: Seq, compaction: EntryOf<'compaction'> | undefined): boolean {
  if (compaction === undefined || seq < compaction.from || seq > compaction.upTo) return false
  return !compaction.keep.includes(seq)
}

/** The compaction among the changes of a conversation: it has at most one. */
export function compactionIn(changes: readonly Change[]): EntryOf<'compaction'> | undefined {
  return changes.find((change) => change.type === 'compaction')
}
