import { type AssistantPart, callsOf, resultsOf, type UserPart } from '../../model/types.ts'
import { contentOfParts } from '../shared/content-of-parts.ts'
import { modelPart, partsIn, responseOutput } from '../shared/google-parts.ts'
import { type Fields, fields, objects, text } from '../shared/json.ts'
import type { MessageFacts, SessionBuilder } from '../shared/log-builder.ts'
import { NOT_OF_USER } from '../shared/user-words.ts'

/** Appends a content of the API. In older versions calls have no ids: a response answers the oldest open call of its name. */
export function addContent(session: SessionBuilder, content: Fields): void {
  const { log } = session
  const parts = objects(content.parts)
  log.recordedMessages++
  const calls = parts.flatMap((part) => fields(part.functionCall) ?? [])
  log.recordedCalls += calls.length
  if (content.role === 'model') {
    const seq = log.entries.length + 1
    const answer = parts.flatMap((part, i): AssistantPart[] => modelPart(part, `call-${seq}-${i}`))
    log.say({ role: 'assistant', content: answer })
    return
  }
  addResponses(session, parts, {})
  sayUser(session, partsIn(parts), speakerOf(parts))
}

/** Texts next to the result of a tool come from the tool or from a hook. */
export function speakerOf(parts: readonly Fields[]): Pick<MessageFacts, 'userWords'> {
  return parts.some((part) => fields(part.functionResponse) !== undefined) ? NOT_OF_USER : {}
}

/** Appends the results in a content of the user, except those that are there already. */
export function addResponses(session: SessionBuilder, parts: readonly Fields[], facts: MessageFacts): void {
  const open = openCalls(session)
  for (const part of parts) {
    const response = fields(part.functionResponse)
    if (response === undefined) continue
    const place = open.findIndex(
      ({ id, name }) => id === response.id || (text(response.id) === undefined && name === response.name),
    )
    const [call] = place === -1 ? [] : open.splice(place, 1)
    if (call !== undefined) session.log.result(call.id, responseOutput(fields(response.response)), facts)
  }
}

/** The calls of the last answer that have no result yet. */
function openCalls({ log }: SessionBuilder): { id: string; name: string }[] {
  const place = log.live.findLastIndex((item) => item.message.role === 'assistant')
  const answered = new Set(
    log.live.slice(place + 1).flatMap(({ message }) => resultsOf(message).map((result) => result.toolCallId)),
  )
  const last = log.live[place]?.message
  return (last === undefined ? [] : callsOf(last))
    .filter((call) => !answered.has(call.toolCallId))
    .map((call) => ({ id: call.toolCallId, name: call.toolName }))
}

/** Appends a message of the user. Gemini CLI puts its own summary, a snapshot of the state, into such a message. */
export function sayUser(session: SessionBuilder, parts: readonly UserPart[], facts: MessageFacts): void {
  const { log } = session
  const [only] = parts
  if (only?.type === 'text' && CONTEXT.test(only.text)) {
    log.system.push(only.text)
    session.facts.workspace ??= folderIn(only.text)
  } else if (only?.type === 'text' && parts.length === 1 && SNAPSHOT.test(only.text))
    log.compact({ summary: only.text, ...facts })
  else log.say({ role: 'user', content: contentOfParts(parts) }, facts)
}

/** True for a message in the user's role that is a summary of Gemini CLI. */
export function isSummary({ type, content }: Fields): boolean {
  const [only] = type === 'user' ? partsIn(content) : []
  return only?.type === 'text' && SNAPSHOT.test(only.text)
}

const SNAPSHOT = /^\s*<state_snapshot>/
/** Gemini CLI describes the machine to the model before the first message of the user. */
const CONTEXT = /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context)/
/** Only this text names the folder: the file itself has a hash of it. */
const FOLDER =
  /(?:Workspace Directories:\**|working in the following directories:)\s*\n\s*- ([^\n]+)|working in the directory: ([^\n]+)/

function folderIn(context: string): string | undefined {
  const found = FOLDER.exec(context)
  return (found?.[1] ?? found?.[2])?.trim()
}
