import { TASK_AGENT } from '../../engine/extract/text/clients.ts'
import type { AssistantPart, ToolResultOutput } from '../../model/types.ts'
import { inputOf, textOutput, withExit } from '../shared/content-parts.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { type Fields, fields, list, objects, text, time } from '../shared/json.ts'
import { LogBuilder, SessionBuilder } from '../shared/log-builder.ts'

/** Reads the output of an OpenHands evaluation, one session per line, or a trajectory, which is a list of events. */
export const readOpenHands: FormatReader = {
  lines: sessionLines,
  document: trajectory,
  isLines: (first) => /^\{\s*"\w+"/.test(first),
}

/** The first session is the main one, the others become side conversations. */
function sessionLines(): LineReader {
  const session = new SessionBuilder(TASK_AGENT)
  let isFirst = true
  return {
    read(line, number) {
      const log = isFirst ? session.log : new LogBuilder(TASK_AGENT)
      const id = text(line.instance_id) ?? `#${number}`
      readEvents(session, log, list(line.history))
      if (isFirst) session.facts.sessionId = id
      else session.sidechains.push({ id, entries: log.entries })
      isFirst = false
    },
    finish: () => session,
  }
}

function trajectory(document: unknown): SessionBuilder {
  const session = new SessionBuilder(TASK_AGENT)
  readEvents(session, session.log, list(fields(document)?.history ?? document))
  return session
}

/** Older files keep an action and its observation as a pair. */
function readEvents(session: SessionBuilder, log: LogBuilder, events: readonly unknown[]): void {
  const seen = new Set<string>()
  for (const event of objects(events.flat())) {
    session.log.recordedMessages++
    readEvent(session, log, event, seen)
  }
}

function readEvent(session: SessionBuilder, log: LogBuilder, event: Fields, seen: Set<string>): void {
  const call = fields(event.tool_call_metadata)
  const at = time(event.timestamp)
  if (event.observation !== undefined) {
    if (call !== undefined)
      log.result(String(call.tool_call_id ?? ''), outputFrom(event), {
        at,
        toolName: String(call.function_name ?? ''),
      })
    return
  }
  const args = fields(event.args)
  const words = text(args?.content) ?? ''
  if (event.action === 'system') session.log.system.push(words)
  else if (event.action === 'message') {
    session.facts.startedAt ??= at
    if (event.source === 'user') log.say({ role: 'user', content: words }, { at })
    else log.say({ role: 'assistant', content: words }, { at })
  } else if (call !== undefined) answer(session, log, call, at, seen)
}

/** One answer of the model may make several calls: each of their actions has the whole answer, so only the first one is read. */
function answer(
  session: SessionBuilder,
  log: LogBuilder,
  call: Fields,
  at: number | undefined,
  seen: Set<string>,
): void {
  session.log.recordedCalls++
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
  log.say({ role: 'assistant', content }, { at, model: text(response?.model) })
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
