import { isAskingTool } from '../../engine/extract/asking-tools.ts'
import { CLIENTS } from '../../engine/extract/text/clients.ts'
import {
  type AssistantPart,
  callsOf,
  resultsOf,
  type ToolResultOutput,
  type Usage,
  type UserPart,
} from '../../model/types.ts'
import { callPart, contentOfParts, textOutput } from '../shared/content-parts.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { modelPart, partsIn, responseOutput } from '../shared/google-parts.ts'
import { type Fields, fields, list, objects, parsed, text, time, wholeNumber } from '../shared/json.ts'
import { type MessageFacts, SessionBuilder } from '../shared/log-builder.ts'
import { typedUserWords } from '../shared/user-words.ts'

/** Reads a chat of Gemini CLI, as lines or as a document. */
export const readGemini: FormatReader = {
  lines: chatLines,
  document: chat,
  isLines(first) {
    const line = fields(parsed(first))
    return line !== undefined && !Array.isArray(line.messages)
  },
}

/** The lines are facts of the session first, then messages, patches of the facts, and rewinds. */
function chatLines(): LineReader {
  const facts: Record<string, unknown> = {}
  let messages = new Map<string, Fields>()
  /** The messages that summaries have replaced. They are kept separately, because a resumed chat patches its messages more than once. */
  const compressed: Fields[] = []
  return {
    read(line) {
      const patch = fields(line.$set)
      const rewind = text(line.$rewindTo)
      const id = text(line.id)
      if (rewind !== undefined) messages = before(messages, rewind)
      else if (patch !== undefined) {
        Object.assign(facts, patch)
        if (Array.isArray(patch.messages)) {
          const next = objects(patch.messages)
          if (next.some(isSummary)) compressed.push(...replaced([...messages.values()], next))
          messages = new Map(next.map((message, i) => [text(message.id) ?? `#${i}`, message]))
        }
      } else if (id !== undefined && 'type' in line) messages.set(id, line)
      else Object.assign(facts, line)
    },
    finish: () => chat({ ...facts, messages: [...compressed, ...messages.values()] }),
  }
}

/** A chat or a checkpoint: the records of the program, or the bare contents of the API. */
function chat(document: unknown): SessionBuilder {
  const session = new SessionBuilder(CLIENTS.gemini)
  const whole = fields(document)
  const records = objects(whole?.messages)
  session.facts.sessionId = text(whole?.sessionId)
  session.facts.title = text(whole?.summary)
  session.facts.startedAt = time(whole?.startTime)
  session.facts.workspace = text(list(whole?.directories)[0])
  if (whole?.kind === 'subagent') session.facts.isDelegated = true
  for (const record of records) addRecord(session, record)
  if (records.length === 0) for (const content of objects(whole?.history ?? document)) addContent(session, content)
  return session
}

/** The messages that a patch no longer has. They are compared by content, because kept messages may have new ids. */
function replaced(messages: readonly Fields[], patch: readonly Fields[]): Fields[] {
  const kept = new Set(patch.map(contentOf))
  return messages.filter((message) => !kept.has(contentOf(message)))
}

function contentOf({ type, content, toolCalls }: Fields): string {
  return JSON.stringify([type, content, toolCalls])
}

function before(messages: Map<string, Fields>, id: string): Map<string, Fields> {
  const ids = [...messages.keys()]
  const at = ids.indexOf(id)
  return at === -1 ? new Map() : new Map([...messages].slice(0, at))
}

/** Appends a message as Gemini CLI records it: an answer holds its tool calls and their results. */
function addRecord(session: SessionBuilder, record: Fields): void {
  const { log } = session
  const at = time(record.timestamp)
  if (record.type !== 'user' && record.type !== 'gemini') return
  log.recordedMessages++
  const stored = typeof record.content === 'string' ? [{ text: record.content }] : objects(record.content)
  if (record.type === 'user') {
    addResponses(session, stored, { at })
    const shown = textsIn(partsIn(record.displayContent))
    const words = shown.length === 0 ? { isBesideResult: isBesideResult(stored) } : { userWords: typedUserWords(shown) }
    return sayUser(session, partsIn(record.content), { at, ...words })
  }
  const calls = objects(record.toolCalls)
  // A resumed session has the calls in the content, too.
  const answer = stored.flatMap((part, i) => modelPart(part, `call-${log.entries.length + 1}-${i}`))
  const ownParts = calls.length === 0 ? answer : answer.filter((part) => part.type !== 'tool-call')
  for (const { id, name, displayName } of calls)
    if (isAskingTool(String(name)) && !OWN_ASKING.has(displayName)) log.noteForeign(String(id ?? ''))
  log.recordedCalls += calls.length === 0 ? answer.filter((part) => part.type === 'tool-call').length : calls.length
  const content: AssistantPart[] = [
    ...objects(record.thoughts).map(thought),
    ...ownParts,
    ...calls.map(({ id, name, args }) => callPart(id, name, args)),
  ]
  log.say(
    { role: 'assistant', content },
    { at, model: modelName(text(record.model)), usage: usageOf(fields(record.tokens)) },
  )
  for (const call of calls) {
    const output = outputFrom(call)
    if (output !== undefined) log.result(String(call.id ?? ''), output, { at })
  }
}

/** How Gemini CLI itself shows its tools that ask the user. One of an MCP server is shown with the name of the server. */
const OWN_ASKING: ReadonlySet<unknown> = new Set(['Ask User', 'Exit Plan Mode'])

/** The typed texts, without the files that they name. Newer files store them separately from the message that was sent. */
function textsIn(parts: readonly UserPart[]): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

function thought(part: Fields): AssistantPart {
  const words = [text(part.subject), text(part.description)].filter((line) => line !== undefined)
  return { type: 'reasoning', text: words.join(': ') }
}

function outputFrom(call: Fields): ToolResultOutput | undefined {
  const responses = objects(Array.isArray(call.result) ? call.result : [call.result])
  const made = responses.map((part) => fields(part.functionResponse)).filter((found) => found !== undefined)
  // In a resumed session each call has the results of all calls of its answer.
  const response = fields((made.find(({ id }) => id === call.id) ?? made[0])?.response)
  const failed = call.status === 'error' || call.status === 'cancelled'
  if (response !== undefined) return responseOutput(response, failed)
  const shown = text(call.resultDisplay) ?? responses.flatMap((part) => text(part.text) ?? []).join('\n')
  return shown === '' && call.status === undefined ? undefined : textOutput(shown, failed)
}

function usageOf(tokens: Fields | undefined): Usage | undefined {
  const inputTokens = wholeNumber(tokens?.input)
  if (tokens === undefined || inputTokens === undefined || inputTokens === 0) return undefined
  const reasoningTokens = wholeNumber(tokens.thoughts) ?? 0
  return {
    inputTokens,
    outputTokens: (wholeNumber(tokens.output) ?? 0) + reasoningTokens,
    cacheReadTokens: wholeNumber(tokens.cached) ?? 0,
    reasoningTokens,
  }
}

function modelName(model: string | undefined): string | undefined {
  return model?.startsWith('gemini') === true ? `google/${model}` : model
}

/** Appends a content of the API. In older versions calls have no ids: a response answers the oldest open call of its name. */
function addContent(session: SessionBuilder, content: Fields): void {
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
  sayUser(session, partsIn(parts), { isBesideResult: isBesideResult(parts) })
}

/** Texts next to the result of a tool come from the tool or from a hook. */
function isBesideResult(parts: readonly Fields[]): boolean {
  return parts.some((part) => fields(part.functionResponse) !== undefined)
}

/** Appends the results in a content of the user, except those that are there already. */
function addResponses(session: SessionBuilder, parts: readonly Fields[], facts: MessageFacts): void {
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
function sayUser(session: SessionBuilder, parts: readonly UserPart[], facts: MessageFacts): void {
  const { log } = session
  const [only] = parts
  if (only?.type === 'text' && CONTEXT.test(only.text)) {
    log.system.push(only.text)
    session.facts.workspace ??= folderIn(only.text)
  } else if (only?.type === 'text' && parts.length === 1 && SNAPSHOT.test(only.text))
    log.compact({ by: 'Gemini CLI', summary: only.text, ...facts })
  else log.say({ role: 'user', content: contentOfParts(parts) }, facts)
}

/** True for a message in the user's role that is a summary of Gemini CLI. */
function isSummary({ type, content }: Fields): boolean {
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
