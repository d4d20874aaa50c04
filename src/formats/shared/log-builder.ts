import { calibrationIn, type Lesson, lessonOf, nextLesson } from '../../engine/context/measure/calibration.ts'
import { messageItem } from '../../engine/context/view/item-list.ts'
import { asksUser, isAskingTool } from '../../engine/extract/asking-tools.ts'
import { type Client, UNKNOWN_CLIENT } from '../../engine/extract/text/clients.ts'
import { mayBeRecord, PLAIN_RECORD_AUTHOR, recordPlace } from '../../engine/record/record-place.ts'
import { mergeIndexes } from '../../model/facts/log-index.ts'
import { Items } from '../../model/items.ts'
import {
  type AssistantPart,
  callsOf,
  type Entry,
  type EntryOf,
  type IndexDelta,
  type Message,
  type MessageItem,
  partsOf,
  resultsOf,
  type SeenFile,
  type Seq,
  type ToolCallPart,
  type ToolPart,
  type ToolResultOutput,
  type Usage,
  type UserPart,
  type UserWords,
} from '../../model/types.ts'
import { calibrated } from '../../tokens/calibrate.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { type Sizes, sizesAgain, sizesOf, tokensKnown } from '../../tokens/sizes.ts'
import { countedSizes, foreignCompaction, foreignFacts, type OwnRecord, ownRecord } from './own-record.ts'
import { clientWords } from './user-words.ts'

/** A problem in the file; the rest was read. Lines count from 1; 0 is the file. */
export type Issue = { readonly line: number; readonly reason: string }

/** A compaction that the agent itself recorded. `seq` is that of its entry in the log. */
export type RecordedCompaction = {
  readonly seq: Seq
  readonly summary: string
  readonly tokensBefore?: number
  readonly trigger?: 'auto' | 'manual'
  /** True when the summary is a record of ours that came back. */
  readonly byPith?: true
}

/** The counts of a session. The log leaves out messages that are not on the active branch, were never sent, or are empty. */
export type Counts = {
  readonly lines: number
  readonly issues: number
  /** Messages and tool calls as the file records them, abandoned branches and sub-agents included. */
  readonly recordedMessages: number
  readonly recordedCalls: number
  /** Messages, tool calls and results in the log. */
  readonly messages: number
  readonly calls: number
  readonly results: number
}

/** The facts of a message that a file has in addition to its content. */
export type MessageFacts = {
  readonly at?: number
  readonly usage?: Usage
  readonly model?: string
  /** The words of the user in it, if the file says more than the message's role. */
  readonly userWords?: readonly UserWords[]
  /** It was sent in one message with the result of a tool. */
  readonly isBesideResult?: boolean
  /** The files that a sub-agent changed before it reported. */
  readonly files?: readonly SeenFile[]
}

type CompactionInput = {
  readonly summary: string
  /** The name of the agent whose compaction it is. */
  readonly by?: string
  /** The summary as its agent shows it to the model, if that is not the bare summary. */
  readonly shown?: string
  /** The value of our own field next to the summary. */
  readonly field?: unknown
  readonly keep?: readonly Seq[]
  readonly tokensBefore?: number
  readonly trigger?: 'auto' | 'manual'
  readonly at?: number
  readonly model?: string
}

/** The most issues that are listed; the rest is only counted. */
const MOST_ISSUES = 1_000

/** Builds a log from the content of a file. */
export class LogBuilder {
  readonly entries: Entry[] = []
  readonly compactions: RecordedCompaction[] = []
  readonly issues: Issue[] = []
  readonly system: string[] = []
  readonly models: string[] = []
  recordedMessages = 0
  recordedCalls = 0
  issueCount = 0
  readonly #toolNames = new Map<string, string>()
  /** Calls of tools that have the name of a tool that asks the user, and are not the client's own. */
  readonly #ofServers = new Set<string>()
  /** The messages that no summary has replaced: the next compaction's span. */
  #live: MessageItem[] = []
  /** The calibration at each compaction, and the number of entries then, so that each entry is read once. */
  readonly #lessons: { readonly lesson: Lesson; readonly entries: number }[] = []
  #lastUsage: Usage | undefined
  /** The last reduction, while no provider has counted the context after it. */
  #uncounted: EntryOf<'compaction' | 'mask'> | undefined
  /** The last entry of the earlier log that the session was handed over from: the handles of its record stay valid. */
  #earlierSeq: Seq = 0
  /** The parts of an answer that continues in the next item of the file. */
  #answer: AssistantPart[] | undefined
  /** The program that wrote the messages in the user's role. */
  client: Client

  constructor(client: Client = UNKNOWN_CLIENT) {
    this.client = client
  }

  /** Appends a message. No model was ever sent an empty one, so these are left out. */
  say(message: Message, facts: MessageFacts = {}): Seq | undefined {
    const { at, usage, model, userWords, isBesideResult, files = [] } = facts
    if (isEmpty(message)) return undefined
    for (const call of callsOf(message)) this.#noteCall(call)
    if (model !== undefined) this.noteModel(model)
    if (usage !== undefined) this.#lastUsage = usage
    this.#answer = undefined
    const isForeign = resultsOf(message).some(({ toolCallId }) => this.#ofServers.has(toolCallId))
    const known = userWords ?? (isForeign ? [] : undefined)
    const words = known === undefined ? clientWords(message, this.client, isBesideResult) : { userWords: [...known] }
    const seq = this.#nextSeq()
    const entry: EntryOf<'message'> = {
      id: `e${seq}`,
      seq,
      at: this.#time(at),
      type: 'message',
      message,
      usage,
      model,
      ...words,
      ...(files.length === 0 ? {} : { files: [...files] }),
    }
    this.entries.push(entry)
    this.#live.push(messageItem(entry))
    if (usage !== undefined) this.#count(entry, usage)
    return seq
  }

  /** Appends a message of a bare list. If it is a record of ours in the user's role, it becomes a compaction again. */
  sayOrCompact(message: Message, facts?: MessageFacts): void {
    const record = recordOf(message)
    if (record === undefined) this.say(message, facts)
    else {
      this.compact({ summary: record.text })
      if (record.rest !== undefined) this.say(record.rest, facts)
    }
  }

  /** Appends parts to the last answer, for files that store an answer in several items. */
  answer(parts: readonly AssistantPart[], facts: MessageFacts = {}): Seq | undefined {
    if (parts.length === 0) return undefined
    if (this.#answer === undefined) {
      const content = [...parts]
      const seq = this.say({ role: 'assistant', content }, facts)
      if (seq !== undefined) this.#answer = content
      return seq
    }
    this.#answer.push(...parts)
    for (const part of parts) if (part.type === 'tool-call') this.#noteCall(part)
    return this.entries.at(-1)?.seq
  }

  /** Appends the result of a call that was made before. */
  result(
    toolCallId: string,
    output: ToolResultOutput,
    facts: MessageFacts & { readonly toolName?: string } = {},
  ): Seq | undefined {
    const toolName = this.#toolNames.get(toolCallId) ?? facts.toolName ?? 'unknown'
    const content: ToolPart[] = [{ type: 'tool-result', toolCallId, toolName, output }]
    return this.say({ role: 'tool', content }, facts)
  }

  /** Sets the usage of the last answer, for files that have it after the answer. */
  reportUsage(usage: Usage): void {
    const at = this.entries.findLastIndex((entry) => entry.type === 'message' && entry.message.role === 'assistant')
    const entry = this.entries[at]
    if (entry?.type !== 'message') return
    entry.usage = usage
    this.#unlearn(at)
    this.#lastUsage = usage
    this.#count(entry, usage)
  }

  /**
   * The agent's file seldom says how large the context was after a reduction. The first report after it does, and that is
   * stored: the sizes of an entry are the ones that are shown everywhere.
   */
  #count({ seq }: EntryOf<'message'>, { inputTokens }: Usage): void {
    const reduction = this.#uncounted
    if (reduction === undefined || seq < reduction.seq || inputTokens === 0) return
    this.#uncounted = undefined
    const later = this.entries.reduce(
      (sum, entry) =>
        entry.type === 'message' && entry.seq > reduction.seq && entry.seq < seq
          ? sum + messageTokens(entry.message, featureEstimator)
          : sum,
      0,
    )
    Object.assign(reduction, countedSizes(reduction, inputTokens, later))
  }

  /** Replaces all earlier messages by the recorded summary, except those that the agent kept. */
  compact({ summary, by, shown = summary, field, keep = [], tokensBefore, trigger, at, model }: CompactionInput): Seq {
    this.#answer = undefined
    const kept = new Set(keep)
    const removed = this.#live.filter((item) => !kept.has(item.seq))
    const own = ownRecord(summary, field)
    this.#earlierSeq = Math.max(this.#earlierSeq, own?.lastSeq ?? 0)
    const seq = this.#nextSeq()
    const entry = foreignCompaction({
      shown,
      by: own === undefined ? by : own.isWhole ? undefined : PLAIN_RECORD_AUTHOR,
      upTo: seq - 1,
      keep: [...kept],
      facts: this.#spanFacts(removed, own),
      reason: trigger === 'auto' ? 'threshold' : 'manual',
      removed,
      counted: tokensBefore ?? this.#lastTokens(),
      ...this.#measure(),
      model,
    })
    this.#reduce({ id: `e${seq}`, seq, at: this.#time(at), ...entry, ...own?.sizes })
    if (own?.sizes !== undefined) this.#uncounted = undefined
    this.#live = this.#live.filter((item) => kept.has(item.seq))
    this.compactions.push({ seq, summary, tokensBefore, trigger, ...(own === undefined ? {} : { byPith: true }) })
    return seq
  }

  /** The sizes of the live messages, calibrated to the model that reported last, and what the first request had beyond its messages. */
  #measure(): { readonly sizes: Sizes; readonly around: number | undefined } {
    const items = Items.of(this.#live)
    const counted = sizesOf(items, featureEstimator)
    const count = tokensKnown(counted)
    const known = this.#lessons.at(-1) ?? { lesson: lessonOf([], featureEstimator), entries: 0 }
    const learn = (lesson: Lesson, entry: Entry) => nextLesson(lesson, entry, count)
    const lesson = this.entries.slice(known.entries).reduce(learn, known.lesson)
    this.#lessons.push({ lesson, entries: this.entries.length })
    const sizes = sizesAgain(counted, items, calibrated(featureEstimator, calibrationIn(lesson, undefined)))
    return { sizes, around: lesson.around }
  }

  /** Drops the calibrations that include entries from this one on, because these have changed. */
  #unlearn(from: number): void {
    while ((this.#lessons.at(-1)?.entries ?? 0) > from) this.#lessons.pop()
  }

  /** Hides the text of results that the agent itself no longer sends. */
  mask(targets: readonly Seq[], characters: Pick<EntryOf<'mask'>, 'nameCharacters' | 'lineCharacters'> = {}): void {
    if (targets.length === 0) return
    const seq = this.#nextSeq()
    const tokens = { tokensBefore: this.#lastTokens(), tokensAfter: this.#lastTokens() }
    const at = this.#time(undefined)
    this.#reduce({ id: `e${seq}`, seq, at, type: 'mask', targets: [...targets], ...characters, ...tokens })
  }

  #reduce(entry: EntryOf<'compaction' | 'mask'>): void {
    this.entries.push(entry)
    this.#uncounted = entry
  }

  /** Removes the last turns, as when a user goes back in the conversation. */
  dropTurns(turns: number): void {
    const starts = this.entries.flatMap((entry, i) =>
      entry.type === 'message' && entry.message.role === 'user' ? [i] : [],
    )
    const from = turns <= 0 ? undefined : starts.at(-turns)
    if (from === undefined) return
    this.#answer = undefined
    this.entries.length = from
    this.#unlearn(from)
    const last = this.entries.at(-1)?.seq ?? 0
    if ((this.#uncounted?.seq ?? 0) > last) this.#uncounted = undefined
    this.#live = this.#live.filter((item) => item.seq <= last)
    while ((this.compactions.at(-1)?.seq ?? 0) > last) this.compactions.pop()
  }

  /** The message entries of the log that are in the view. */
  get live(): readonly MessageItem[] {
    return this.#live
  }

  noteModel(model: string): void {
    if (!this.models.includes(model)) this.models.push(model)
  }

  issue(line: number, reason: string): void {
    this.issueCount++
    if (this.issues.length < MOST_ISSUES) this.issues.push({ line, reason })
  }

  /** The counts of the log, for a file with this number of lines. */
  counts(lines: number): Counts {
    const messages = this.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
    return {
      lines,
      issues: this.issueCount,
      recordedMessages: this.recordedMessages,
      recordedCalls: this.recordedCalls,
      messages: messages.length,
      calls: messages.reduce((sum, message) => sum + callsOf(message).length, 0),
      results: messages.reduce((sum, message) => sum + resultsOf(message).length, 0),
    }
  }

  #noteCall(call: ToolCallPart): void {
    this.#toolNames.set(call.toolCallId, call.toolName)
    const isOwn = asksUser(call) && this.client.asks?.includes(call.toolName) === true
    if (isAskingTool(call.toolName) && !isOwn) this.noteForeign(call.toolCallId)
  }

  /** Notes a call of a tool of an MCP server or an extension: its result is never the user's answer. */
  noteForeign(toolCallId: string): void {
    this.#ofServers.add(toolCallId)
  }

  #nextSeq(): Seq {
    return Math.max(this.entries.at(-1)?.seq ?? 0, this.#earlierSeq) + 1
  }

  /** The facts of a span. If the agent still has the compacted messages, the record already has their facts: they count once. */
  #spanFacts(removed: readonly MessageItem[], own: OwnRecord | undefined): IndexDelta {
    if (own?.isWhole === true) return own.facts
    const delta = foreignFacts(removed)
    return own === undefined ? delta : mergeIndexes([own.facts, delta])
  }

  /** The time in the file. If there is none, or it is earlier than the last one, the last one is used. */
  #time(at: number | undefined): number {
    const last = this.entries.at(-1)?.at ?? 0
    return Math.max(at ?? last, last)
  }

  #lastTokens(): number {
    return (this.#lastUsage?.inputTokens ?? 0) + (this.#lastUsage?.outputTokens ?? 0)
  }
}

/** A record of ours in a message of the user. Some providers' formats join the next message to it: that is `rest`. */
function recordOf(message: Message): { text: string; rest: Message | undefined } | undefined {
  if (message.role !== 'user') return undefined
  const [first, ...others] = partsOf(message) as readonly UserPart[]
  if (first?.type !== 'text' || !mayBeRecord(first.text) || recordPlace(first.text) === undefined) return undefined
  return { text: first.text, rest: others.length === 0 ? undefined : { ...message, content: others } }
}

function isEmpty({ content }: Message): boolean {
  if (typeof content === 'string') return content.trim() === ''
  return content.every((part) => part.type === 'text' && part.text.trim() === '')
}

/** A conversation in the same file that is not part of the main view: a sub-agent's, or one more session. */
export type Sidechain = {
  readonly id: string
  readonly title?: string
  /** The call that started a sub-agent, if the file names it. */
  readonly call?: string
  readonly entries: readonly Entry[]
}

type TreeLine = { readonly line: number; readonly queuedAt?: number }

/** A proxy may answer with a whole web page. */
const REFUSAL_CHARACTERS = 2_000

/** Collects the content of a file: the log, the facts of the session, and its side conversations. */
export class SessionBuilder {
  readonly log: LogBuilder
  readonly facts: {
    version?: string
    sessionId?: string
    title?: string
    workspace?: string
    startedAt?: number
    /** The context window that the agent worked with, if the file names it: the last one, in tokens. */
    window?: number
    /** The words with which a provider refused requests, if they have sizes. */
    refusals?: string[]
    /** The session that this one was forked from. */
    forkedFrom?: string
    /** Another agent or a script gave the orders in it. */
    isDelegated?: boolean
    /** The address of the repository that it worked in. */
    repository?: string
  } = {}
  readonly sidechains: Sidechain[] = []
  /** The lines on abandoned branches. */
  readonly leftLines = new Set<number>()

  /** `client`: the program whose file it is. In the file of an unknown one not all of the user's role is typed. */
  constructor(client: Client = UNKNOWN_CLIENT) {
    this.log = new LogBuilder(client)
  }

  /** Notes the words with which a provider refused a request, if they have sizes: they may name the window. */
  refused(words: string | undefined): void {
    if (words === undefined || !/\d{4}/.test(words)) return
    this.facts.refusals ??= []
    this.facts.refusals.push(words.slice(0, REFUSAL_CHARACTERS))
  }

  /** Notes which lines of a tree are not on its active branch. */
  leaveOut(all: readonly TreeLine[], active: readonly TreeLine[]): void {
    for (const { line, queuedAt = line } of all) this.leftLines.add(queuedAt)
    for (const { line, queuedAt = line } of active) this.leftLines.delete(queuedAt)
  }
}
