import type { AssistantPart } from '../../model/message.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { type Fields, fields, objects, text, time, wholeNumber } from '../shared/json.ts'
import { LogBuilder, type MessageFacts } from '../shared/log-builder.ts'
import { reminder } from '../shared/reminder.ts'
import { textOutput } from '../shared/result-output.ts'
import { SessionBuilder } from '../shared/session-builder.ts'

/** Reads the events of Copilot CLI. Those of a sub-agent name the call that started it. */
export const readCopilot: FormatReader = { lines: eventLines }

function eventLines(): LineReader {
  const session = new SessionBuilder()
  const agents = new Map<string, LogBuilder>()
  return {
    read(line) {
      const data = fields(line.data) ?? {}
      const parent = text(data.parentToolCallId)
      if (parent !== undefined && !agents.has(parent)) agents.set(parent, new LogBuilder())
      const log = (parent === undefined ? undefined : agents.get(parent)) ?? session.log
      readEvent(session, log, String(line.type), data, { at: time(line.timestamp) })
    },
    finish() {
      for (const [id, log] of agents) if (log.entries.length > 0) session.sidechains.push({ id, entries: log.entries })
      return session
    },
  }
}

function readEvent(session: SessionBuilder, log: LogBuilder, type: string, data: Fields, facts: MessageFacts): void {
  switch (type) {
    case 'session.start':
      return readFacts(session, data)
    case 'system.message':
      if (text(data.content) !== undefined) log.system.push(String(data.content))
      return
    case 'user.message':
      session.log.recordedMessages++
      log.say({ role: 'user', content: text(data.content) ?? text(data.transformedContent) ?? '' }, facts)
      return
    case 'assistant.message':
      return readAnswer(session, log, data, facts)
    case 'tool.execution_complete':
      return readResult(log, data, facts)
    case 'system.notification':
      log.say({ role: 'user', content: reminder(text(data.content) ?? '') }, facts)
      return
    case 'session.compaction_complete':
      return readCompaction(log, data, facts)
  }
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
    ...requests.map(call),
  ]
  const name = text(data.model)
  const model = name === undefined ? undefined : `github-copilot/${name}`
  log.say({ role: 'assistant', content }, { ...facts, model })
}

function reasoning(words: string, opaque: string | undefined): AssistantPart {
  const providerOptions = opaque === undefined ? undefined : { copilot: { opaque } }
  return { type: 'reasoning', text: words, providerOptions }
}

function call(request: Fields): AssistantPart {
  const input = request.arguments ?? {}
  return {
    type: 'tool-call',
    toolCallId: String(request.toolCallId ?? ''),
    toolName: String(request.name ?? ''),
    input,
  }
}

function readResult(log: LogBuilder, data: Fields, facts: MessageFacts): void {
  const failed = data.success === false
  const words = text(fields(data.result)?.content) ?? text(fields(data.error)?.message) ?? ''
  log.result(String(data.toolCallId ?? ''), textOutput(words, failed), facts)
}

function readCompaction(log: LogBuilder, data: Fields, facts: MessageFacts): void {
  const summary = text(data.summaryContent)
  if (data.success === false || summary === undefined) return
  log.compact({ summary, tokensBefore: wholeNumber(data.preCompactionTokens), ...facts })
}
