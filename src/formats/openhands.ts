import type { AssistantPart, ToolResultOutput } from '../model/message.ts'
import { Draft, type LineReader } from './codec.ts'
import { type Fields, fields, list, objects, text, time } from './json.ts'
import { LogBuilder } from './log-builder.ts'
import { inputOf, textOutput, withExit } from './result-output.ts'

/** Reads the output of an OpenHands evaluation: a session a line. The first is the main one, the others stand beside it. */
export function openHandsReader(): LineReader {
  const draft = new Draft()
  let isFirst = true
  return {
    read(line, number) {
      const log = isFirst ? draft.log : new LogBuilder()
      const id = text(line.instance_id) ?? `#${number}`
      readEvents(draft, log, list(line.history))
      if (isFirst) draft.facts.sessionId = id
      else draft.sidechains.push({ id, entries: log.entries })
      isFirst = false
    },
    finish: () => draft,
  }
}

/** Reads a trajectory of OpenHands: a list of events. */
export function readOpenHands(document: unknown): Draft {
  const draft = new Draft()
  readEvents(draft, draft.log, list(fields(document)?.history ?? document))
  return draft
}

/** Older files keep an action and its observation as a pair. */
function readEvents(draft: Draft, log: LogBuilder, events: readonly unknown[]): void {
  const seen = new Set<string>()
  for (const event of objects(events.flat())) {
    draft.log.recordedMessages++
    readEvent(draft, log, event, seen)
  }
}

function readEvent(draft: Draft, log: LogBuilder, event: Fields, seen: Set<string>): void {
  const call = fields(event.tool_call_metadata)
  const at = time(event.timestamp)
  const said = at === undefined ? {} : { at }
  if (event.observation !== undefined) {
    if (call !== undefined)
      log.result(String(call.tool_call_id ?? ''), outputFrom(event), {
        ...said,
        toolName: String(call.function_name ?? ''),
      })
    return
  }
  const args = fields(event.args)
  const words = text(args?.content) ?? ''
  if (event.action === 'system') draft.log.system.push(words)
  else if (event.action === 'message') {
    draft.facts.startedAt ??= at
    if (event.source === 'user') log.say({ role: 'user', content: words }, said)
    else log.say({ role: 'assistant', content: words }, said)
  } else if (call !== undefined) answer(draft, log, call, said, seen)
}

/** One answer of the model may make several calls: each of their actions carries all of it, the first one tells it. */
function answer(draft: Draft, log: LogBuilder, call: Fields, said: { at?: number }, seen: Set<string>): void {
  draft.log.recordedCalls++
  const response = fields(call.model_response)
  const id = text(response?.id) ?? String(call.tool_call_id)
  if (seen.has(id)) return
  seen.add(id)
  const message = fields(objects(response?.choices)[0]?.message)
  const words = text(message?.content)
  const content: AssistantPart[] = [
    ...(words === undefined ? [] : [{ type: 'text' as const, text: words }]),
    ...objects(message?.tool_calls).map((made): AssistantPart => {
      const called = fields(made.function) ?? {}
      const toolName = text(called.name) ?? 'unknown'
      return { type: 'tool-call', toolCallId: String(made.id ?? ''), toolName, input: inputOf(called.arguments) }
    }),
  ]
  const model = text(response?.model)
  log.say({ role: 'assistant', content }, { ...said, ...(model === undefined ? {} : { model }) })
}

function outputFrom(event: Fields): ToolResultOutput {
  const extras = fields(event.extras)
  const exit = fields(extras?.metadata)?.exit_code ?? extras?.exit_code
  return withExit(
    textOutput(String(event.content ?? ''), event.observation === 'error'),
    'openhands',
    exit === -1 ? undefined : exit,
  )
}
