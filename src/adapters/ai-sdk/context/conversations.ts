import { hash } from 'node:crypto'
import type { Context } from '../../../engine/context/context.ts'
import { extendContext, openContext } from '../../../engine/context/open-context.ts'
import { foldLog } from '../../../engine/context/view/view-of.ts'
import { keysOf, OpenContexts } from '../../../fit/open-contexts.ts'
import { contentText, type Quote } from '../../../fit/state/content-key.ts'
import type { Change, ContextState, Report, Run } from '../../../fit/state/context-state.ts'
import {
  type Conversation,
  conversationOf,
  messageEntry,
  openConversation,
  seqsOf,
} from '../../../fit/state/conversation.ts'
import { knownRecord } from '../../../fit/state/known-record.ts'
import { contextStateOf, runsOf } from '../../../fit/state/state-of.ts'
import { wrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import type { Entry, Message } from '../../../model/types.ts'
import { RecentMap, sameData } from '../../../model/values.ts'

/** A conversation that the caller keeps, with our knowledge of it. */
export type KnownConversation = Conversation & {
  /** The hash of all these messages. */
  readonly key: string
  /** The engine's context of the log, under the settings of the last call. */
  readonly context: Context
  readonly remembered: ConversationMemory
}

/** The provider's report on an answer. */
export type AnswerReport = Omit<Report, 'seq'>

/** Gives the provider's report on a message, if it is an answer. */
type AnswerReporter = (message: Message) => AnswerReport | undefined

/** Everything that is needed to build the log again, except the messages. */
type ConversationMemory = {
  readonly runs: readonly Run[]
  readonly changes: readonly Change[]
  readonly reports: readonly Report[]
  readonly answeredAt?: number
  /** The windows that we assume after refusals of this conversation that named none, by model. */
  readonly windows?: Readonly<Record<string, number>>
}

/**
 * Remembers the changes to conversations by the hash of the prefix that was changed. The same messages get the same view at
 * the next call, and one summary serves all calls. It holds changes, not messages. The least recently used conversation is
 * forgotten first.
 */
export class Conversations {
  readonly #known: RecentMap<string, ConversationMemory>
  /** Opening a list that continues one of these costs only its new messages. */
  readonly #recent = new OpenContexts<KnownConversation>()
  readonly #state: unknown

  /** `state`: the state of a conversation from an earlier process. */
  constructor(most = 256, state?: unknown) {
    this.#known = new RecentMap(most)
    this.#state = state
  }

  get size(): number {
    return this.#known.size
  }

  /** The log of a list of messages, with the changes of its longest known prefix. `reportOf` gives the reports that came with the list. */
  open(messages: readonly Message[], reportOf: AnswerReporter = () => undefined): KnownConversation {
    const recent = this.#recent.longest(messages)
    const known = this.#knownFrom(recent?.value, messages, reportOf)
    this.#recent.keep(known.messages, known, recent)
    return known
  }

  /** The same for a caller that only reads. Nothing is kept, because the reports on the last answers may come later. */
  read(messages: readonly Message[]): KnownConversation {
    return this.#knownFrom(this.#recent.longest(messages)?.value, messages, () => undefined)
  }

  /** True when something is remembered of these messages or of a prefix of them. */
  has(messages: readonly Message[]): boolean {
    return conversationKeys('', messages).some((key) => this.#known.has(key))
  }

  /** Remembers the log of a prefix and, once it has arrived, the report on the next answer. */
  keep(known: KnownConversation, answer?: AnswerReport): void {
    const { key, log, remembered } = known
    this.#recent.keep(known.messages, known)
    const reports = answer === undefined ? [] : [{ ...answer, seq: nextSeq(log) }]
    this.#known.set(key, withReports(remembered, reports))
  }

  #knownFrom(
    recent: KnownConversation | undefined,
    messages: readonly Message[],
    reportOf: AnswerReporter,
  ): KnownConversation {
    // A copy, because the caller may change the list.
    const list = [...messages]
    return (recent && this.#extended(recent, list, reportOf)) ?? this.#fromPrefix(list, reportOf)
  }

  /** The conversation with the messages that follow it; undefined if a longer prefix of them is remembered. */
  #extended(
    known: KnownConversation,
    messages: readonly Message[],
    reportOf: AnswerReporter,
  ): KnownConversation | undefined {
    const fresh = messages.slice(known.messages.length)
    const keys = conversationKeys(known.key, fresh)
    if (keys.some((key) => this.#known.has(key))) return undefined
    const first = nextSeq(known.log)
    const entries = fresh.map((message, i) => ({
      ...messageEntry(wrapForeign(message), first + i),
      ...reportOf(message),
    }))
    const log = known.log.concat(entries)
    return {
      messages,
      seqs: known.seqs.concat(entries.map(({ seq }) => seq)),
      log,
      context: entries.reduce(extendContext, known.context),
      key: keys.at(-1) ?? known.key,
      answeredAt: known.answeredAt,
      remembered: withReports(known.remembered, entries.flatMap(reportIn)),
    }
  }

  #fromPrefix(messages: readonly Message[], reportOf: AnswerReporter): KnownConversation {
    const keys = conversationKeys('', messages)
    const remembered = this.#longest(keys)
    const opened =
      remembered === undefined
        ? knownRecord(openConversation(messages, { state: this.#state }))
        : conversationOf(messages, seqsOf(remembered.runs, messages.length), remembered)
    const log = opened.log.map((entry) =>
      entry.type === 'message' ? { ...entry, ...reportOf(entry.message), message: wrapForeign(entry.message) } : entry,
    )
    const context = openContext(log, {}, foldLog(log, opened.made))
    const known = { ...opened, log, context, key: keys.at(-1) ?? '' }
    return { ...known, remembered: { ...rememberedOf(known), windows: remembered?.windows } }
  }

  #longest(keys: readonly string[]): ConversationMemory | undefined {
    const key = keys.findLast((prefix) => this.#known.has(prefix))
    const found = key === undefined ? undefined : this.#known.get(key)
    if (key !== undefined && found !== undefined) this.#known.set(key, found)
    return found
  }
}

/** The state of a conversation, for a later process. */
export function conversationState(known: KnownConversation): ContextState {
  return contextStateOf(known, { ...known, view: known.context.view })
}

/** The conversation after entries were appended to its log. */
export function withEntries(known: KnownConversation, entries: readonly Entry[], context: Context): KnownConversation {
  if (entries.length === 0) return { ...known, context }
  const now = { ...known, log: [...known.log, ...entries], context }
  return { ...now, remembered: { ...rememberedOf(now), windows: known.remembered.windows } }
}

/** The conversation after a refusal from which we concluded this window. */
export function withWindow(known: KnownConversation, model: string, window: number): KnownConversation {
  const windows = { ...known.remembered.windows, [model]: window }
  return { ...known, remembered: { ...known.remembered, windows } }
}

function rememberedOf({ log, seqs, answeredAt }: Omit<KnownConversation, 'remembered'>): ConversationMemory {
  const changes = log.filter((entry) => entry.type !== 'message')
  const runs = runsOf(seqs, nextSeq(log))
  return withReports({ runs, changes, reports: [], answeredAt }, log.flatMap(reportIn))
}

/** More than the count of a context and the calibration need. */
const MOST_REPORTS = 16

function withReports(remembered: ConversationMemory, more: readonly Report[]): ConversationMemory {
  if (more.length === 0) return remembered
  const answeredAt = more.at(-1)?.at || remembered.answeredAt
  return { ...remembered, reports: [...remembered.reports, ...more].slice(-MOST_REPORTS), answeredAt }
}

function reportIn(entry: Entry): Report[] {
  if (entry.type !== 'message' || entry.usage === undefined) return []
  return [{ seq: entry.seq, usage: entry.usage, at: entry.at, model: entry.model }]
}

function nextSeq(log: readonly Entry[]): number {
  return (log.at(-1)?.seq ?? 0) + 1
}

/**
 * The keys of a prefix with one more message, with two more, and so on. The hash is SHA-256 because one manager may serve
 * many people: nobody can build a conversation with the key of another one.
 */
export function conversationKeys(prefix: string, messages: readonly Message[]): string[] {
  let key = prefix
  return messages.map((message) => {
    key = sha256(`${key}\n${contentKey(message)}`)
    return key
  })
}

/** True when two messages say the same: the SDK passes copies of the messages that it keeps. */
export function sameMessage(one: Message | undefined, other: Message | undefined): boolean {
  if (sameData(one, other)) return true
  return one !== undefined && other !== undefined && contentText(one) === contentText(other)
}

/** The content of a message is hashed only once, even if an earlier message changes. */
function contentKey(message: Message): string {
  const known = keysOf(message)
  known.content ??= sha256(contentText(message, measured))
  return known.content
}

/** The length marks where a text ends, which is much faster than JSON. Lone surrogates need JSON: they would all get the same hash. */
const measured: Quote = (text) => (text.isWellFormed() ? `${text.length}:${text}` : JSON.stringify(text))

function sha256(text: string): string {
  return hash('sha256', text, 'base64')
}
