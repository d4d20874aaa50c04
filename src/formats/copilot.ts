import type { AssistantPart } from '../model/message.ts'
import { Draft, type LineReader } from './codec.ts'
import { count, type Fields, fields, objects, text, time } from './json.ts'
import { LogBuilder } from './log-builder.ts'
import { reminder } from './reminder.ts'
import { textOutput } from './result-output.ts'

/** Reads the events of Copilot CLI. Those of a sub-agent name the call that started it. */
export function copilotReader(): LineReader {
  const draft = new Draft()
  const agents = new Map<string, LogBuilder>()
  return {
    read(line) {
      const data = fields(line.data) ?? {}
      const parent = text(data.parentToolCallId)
      if (parent !== undefined && !agents.has(parent)) agents.set(parent, new LogBuilder())
      readEvent(
        draft,
        (parent === undefined ? undefined : agents.get(parent)) ?? draft.log,
        String(line.type),
        data,
        time(line.timestamp),
      )
    },
    finish() {
      for (const [id, log] of agents) if (log.entries.length > 0) draft.sidechains.push({ id, entries: log.entries })
      return draft
    },
  }
}

function readEvent(draft: Draft, log: LogBuilder, type: string, data: Fields, at: number | undefined): void {
  const said = at === undefined ? {} : { at }
  switch (type) {
    case 'session.start':
      return readFacts(draft, data)
    case 'system.message':
      if (text(data.content) !== undefined) log.system.push(String(data.content))
      return
    case 'user.message':
      draft.log.recordedMessages++
      log.say({ role: 'user', content: text(data.content) ?? text(data.transformedContent) ?? '' }, said)
      return
    case 'assistant.message':
      return readAnswer(draft, log, data, said)
    case 'tool.execution_complete':
      return readResult(log, data, said)
    case 'system.notification':
      log.say({ role: 'user', content: reminder(text(data.content) ?? '') }, said)
      return
    case 'session.compaction_complete':
      return readCompaction(log, data, said)
  }
}

function readFacts({ facts }: Draft, data: Fields): void {
  facts.sessionId ??= text(data.sessionId)
  facts.version ??= text(data.copilotVersion)
  facts.startedAt ??= time(data.startTime)
  facts.workspace ??= text(fields(data.context)?.cwd)
}

function readAnswer(draft: Draft, log: LogBuilder, data: Fields, said: { at?: number }): void {
  const requests = objects(data.toolRequests)
  draft.log.recordedMessages++
  draft.log.recordedCalls += requests.length
  const thought = text(data.reasoningText)
  const words = text(data.content)
  const content: AssistantPart[] = [
    ...(thought === undefined ? [] : [reasoning(thought, text(data.reasoningOpaque))]),
    ...(words === undefined ? [] : [{ type: 'text' as const, text: words }]),
    ...requests.map(call),
  ]
  const model = text(data.model)
  log.say(
    { role: 'assistant', content },
    { ...said, ...(model === undefined ? {} : { model: `github-copilot/${model}` }) },
  )
}

function reasoning(words: string, opaque: string | undefined): AssistantPart {
  return {
    type: 'reasoning',
    text: words,
    ...(opaque === undefined ? {} : { providerOptions: { copilot: { opaque } } }),
  }
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

function readResult(log: LogBuilder, data: Fields, said: { at?: number }): void {
  const failed = data.success === false
  const words = text(fields(data.result)?.content) ?? text(fields(data.error)?.message) ?? ''
  log.result(String(data.toolCallId ?? ''), textOutput(words, failed), said)
}

function readCompaction(log: LogBuilder, data: Fields, said: { at?: number }): void {
  const summary = text(data.summaryContent)
  if (data.success === false || summary === undefined) return
  const tokensBefore = count(data.preCompactionTokens)
  log.compact({ summary, ...(tokensBefore === undefined ? {} : { tokensBefore }), ...said })
}
