import { isAskingTool } from '../../engine/extract/asking-tools.ts'
import { CLIENTS } from '../../engine/extract/text/clients.ts'
import { type AssistantPart, callsOf, type SeenFile, type Seq, textOf, type Usage } from '../../model/types.ts'
import { callPart, textOutput } from '../shared/content-parts.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { type Fields, fields, objects, text, time, wholeNumber } from '../shared/json.ts'
import { LogBuilder, type MessageFacts, SessionBuilder } from '../shared/log-builder.ts'
import { subAgentFiles } from '../shared/sub-agent-files.ts'
import { NOT_OF_USER, reminder } from '../shared/user-words.ts'

/** Reads the events of Copilot CLI. Those of a sub-agent name the call that started it. */
export const readCopilot: FormatReader = { lines: eventLines }

function eventLines(): LineReader {
  const session = new SessionBuilder(CLIENTS.copilot)
  const agents = new Map<string, LogBuilder>()
  const pending: OpenEvents = { usages: new Map(), start: undefined }
  return {
    read(line) {
      const data = fields(line.data) ?? {}
      const parent = text(data.parentToolCallId)
      if (parent !== undefined && !agents.has(parent)) agents.set(parent, new LogBuilder(CLIENTS.copilot))
      const log = (parent === undefined ? undefined : agents.get(parent)) ?? session.log
      const files = line.type === 'tool.execution_complete' ? filesOf(text(data.toolCallId), log, agents) : []
      readEvent(session, log, { type: String(line.type), data, pending }, { at: time(line.timestamp), files })
    },
    finish() {
      for (const [id, log] of agents) if (log.entries.length > 0) session.sidechains.push({ id, entries: log.entries })
      return session
    },
  }
}

/** The files that the sub-agent changed which this call started. */
function filesOf(id: string | undefined, { entries }: LogBuilder, agents: ReadonlyMap<string, LogBuilder>): SeenFile[] {
  const agent = agents.get(id ?? '')
  if (id === undefined || agent === undefined) return []
  const calls = entries.flatMap((entry) => (entry.type === 'message' ? callsOf(entry.message) : []))
  const call = calls.findLast(({ toolCallId }) => toolCallId === id)
  return call === undefined ? [] : subAgentFiles(call, [{ id, call: id, entries: agent.entries }])
}

/**
 * Events that belong to a later one: the usage of a request, by its id, and the beginning of a compaction, which is the last
 * entry that it summarises. The agent continues to work meanwhile.
 */
type OpenEvents = { readonly usages: Map<unknown, Usage>; start: Seq | undefined }
type CopilotEvent = { readonly type: string; readonly data: Fields; readonly pending: OpenEvents }

function readEvent(
  session: SessionBuilder,
  log: LogBuilder,
  { type, data, pending }: CopilotEvent,
  facts: MessageFacts,
): void {
  switch (type) {
    case 'session.start':
      return readFacts(session, data)
    case 'system.message':
      // It is written again whenever the session is resumed.
      if (text(data.content) !== undefined) log.system.splice(0, log.system.length, String(data.content))
      return
    case 'user.message':
      session.log.recordedMessages++
      // Texts of skills are sent as a user's message that names its source.
      log.say(
        { role: 'user', content: text(data.content) ?? text(data.transformedContent) ?? '' },
        isOfUser(data) ? facts : { ...facts, ...NOT_OF_USER },
      )
      return
    case 'assistant.message':
      return readAnswer(session, log, data, { ...facts, usage: pending.usages.get(data.apiCallId) })
    case 'tool.execution_start':
      if (text(data.mcpServerName) !== undefined && isAskingTool(String(data.toolName)))
        log.noteForeign(String(data.toolCallId ?? ''))
      return
    case 'tool.execution_complete':
      return readResult(log, data, facts)
    case 'system.notification':
      log.say({ role: 'user', content: reminder(text(data.content) ?? '') }, { ...facts, ...NOT_OF_USER })
      return
    case 'session.usage_record':
      return readUsage(session, fields(data.usage) ?? {}, pending)
    case 'session.compaction_start':
      pending.start = log.entries.length
      return
    case 'session.compaction_complete':
      session.facts.window = wholeNumber(data.tokenLimit) || session.facts.window
      addCopilotCompaction(log, data, pending.start, facts)
      pending.start = undefined
  }
}

function isOfUser({ source }: Fields): boolean {
  return source === undefined || source === null || source === 'user'
}

function readFacts({ facts }: SessionBuilder, data: Fields): void {
  facts.sessionId ??= text(data.sessionId)
  facts.version ??= text(data.copilotVersion)
  facts.startedAt ??= time(data.startTime)
  facts.workspace ??= text(fields(data.context)?.cwd)
}

function readAnswer(session: SessionBuilder, log: LogBuilder, data: Fields, facts: MessageFacts): void {
  const requests = objects(data.toolRequests)
  session.log.recordedMessages++
  session.log.recordedCalls += requests.length
  const thought = text(data.reasoningText)
  const words = text(data.content)
  const content: AssistantPart[] = [
    ...(thought === undefined ? [] : [reasoning(thought, text(data.reasoningOpaque))]),
    ...(words === undefined ? [] : [{ type: 'text' as const, text: words }]),
    ...requests.map(({ toolCallId, name, arguments: input }) => callPart(toolCallId, name, input)),
  ]
  const name = text(data.model)
  const model = name === undefined ? undefined : `github-copilot/${name}`
  log.say({ role: 'assistant', content }, { ...facts, model })
}

function reasoning(words: string, opaque: string | undefined): AssistantPart {
  const providerOptions = opaque === undefined ? undefined : { copilot: { opaque } }
  return { type: 'reasoning', text: words, providerOptions }
}

function readResult(log: LogBuilder, data: Fields, facts: MessageFacts): void {
  const failed = data.success === false
  const words = text(fields(data.result)?.content) ?? text(fields(data.error)?.message) ?? ''
  log.result(String(data.toolCallId ?? ''), textOutput(words, failed), facts)
}

/** The usage of a request comes before its answer. Its input includes cache reads and writes. */
function readUsage({ facts }: SessionBuilder, usage: Fields, { usages }: OpenEvents): void {
  facts.window = wholeNumber(usage.maxPromptTokens) || facts.window
  const inputTokens = wholeNumber(usage.inputTokens)
  if (inputTokens === undefined || inputTokens === 0 || usage.apiCallId === undefined) return
  usages.set(usage.apiCallId, {
    inputTokens,
    outputTokens: wholeNumber(usage.outputTokens) ?? 0,
    cacheReadTokens: wholeNumber(usage.cacheReadTokens) ?? 0,
    cacheWriteTokens: wholeNumber(usage.cacheWriteTokens) ?? 0,
    reasoningTokens: wholeNumber(usage.reasoningTokens) ?? 0,
  })
}

/**
 * Appends a compaction that Copilot CLI recorded. The agent continues with the user's words and the summary in one message, and
 * with the messages that came while the summary was written.
 */
function addCopilotCompaction(log: LogBuilder, data: Fields, start: Seq | undefined, facts: MessageFacts): void {
  const summary = text(data.summaryContent)
  if (data.success === false || summary === undefined) return
  log.compact({
    by: 'Copilot CLI',
    summary,
    // Versions before this field sent the summary alone.
    shown: data.messagesRemoved === undefined ? summary : shownSummary(userWords(log, start), summary),
    keep: start === undefined ? [] : log.live.flatMap(({ seq }) => (seq > start ? [seq] : [])),
    tokensBefore: wholeNumber(data.preCompactionTokens),
    trigger: data.trigger === 'manual' ? 'manual' : data.trigger === 'threshold' ? 'auto' : undefined,
    ...facts,
  })
}

function userWords({ entries }: LogBuilder, start: Seq | undefined): string[] {
  return entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' && entry.seq <= (start ?? entry.seq)
      ? [textOf(entry.message)]
      : [],
  )
}

/** Characters of the user's words that Copilot repeats, and of the first message among them. */
const MOST_WORDS = 30_000
const MOST_OF_FIRST = 6_000

function shownSummary(words: readonly string[], summary: string): string {
  return [
    'Some of the conversation history has been summarized to free up context.',
    '',
    'You were originally given instructions from a user over one or more turns. Here were the user messages:',
    ...withinLimit(words),
    '',
    'Here is a summary of the prior context:',
    `<summary>\n${summary}\n</summary>`,
  ].join('\n')
}

/** All messages if they fit; otherwise the first one and the newest. */
function withinLimit(words: readonly string[]): string[] {
  if (words.reduce((sum, text) => sum + text.length, 0) <= MOST_WORDS) return words.map(quoted)
  const [first = '', ...rest] = words
  const start = cut(first, rest.length === 0 ? MOST_WORDS : MOST_OF_FIRST)
  let room = MOST_WORDS - start.length
  const newest: string[] = []
  for (const text of rest.toReversed()) {
    if (newest.length > 0 && text.length > room) break
    newest.unshift(cut(text, room))
    room -= text.length
  }
  const left = rest.length - newest.length
  return [quoted(start), ...(left === 0 ? [] : [`... ${left} messages omitted ...`]), ...newest.map(quoted)]
}

const CUT = '...<truncated>...'

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - CUT.length)}${CUT}`
}

function quoted(text: string): string {
  return `<user_message>\n${text}\n</user_message>`
}
