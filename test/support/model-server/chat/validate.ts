import { isRecord, parseArguments, repeated } from '../bad-body.ts'
import { type ChatBody, type ChatMessage, contentText } from './body.ts'

/** All that OpenAI would refuse the request for. */
export function chatProblems({ messages, tools = [] }: ChatBody): string[] {
  const said = messages.filter(({ role }) => role !== 'system' && role !== 'developer')
  const calls = messages.flatMap(callsOf)
  return [
    ...(said.length === 0 ? ["Invalid 'messages': there is nothing but system messages."] : []),
    ...(said.length > 0 && said[0]?.role !== 'user'
      ? ["Invalid 'messages[0].role': the first message must be the user's."]
      : []),
    ...messages.flatMap((message, i) => [
      ...keyProblems(message, i),
      ...textProblems(message, i),
      ...missingResults(messages, i),
      ...orphanResults(messages, i),
    ]),
    ...repeated(calls.map(({ id }) => id)).map((id) => `Invalid 'messages': the tool_call id ${id} is not unique.`),
    ...calls
      .filter((call) => !isRecord(parseArguments(call.function.arguments)))
      .map(({ id }) => `Invalid 'messages': the arguments of ${id} are no JSON object.`),
    ...repeated(tools.map((tool) => tool.function.name)).map((name) => `Invalid 'tools': ${name} is declared twice.`),
  ]
}

/** All that OpenAI takes, and a strict server that speaks its protocol would refuse. */
export function chatOddities({ messages, tools = [] }: ChatBody): string[] {
  return [
    ...messages.flatMap((_, i) => systemProblems(messages, i)),
    ...(tools.length === 0 && messages.some((message) => message.role === 'tool' || callsOf(message).length > 0)
      ? ["Invalid 'tools': messages with tool calls need declared tools."]
      : []),
  ]
}

function callsOf(message: ChatMessage) {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : []
}

/** Chat templates of open models refuse a system message anywhere but at the start. */
function systemProblems(messages: readonly ChatMessage[], at: number): string[] {
  const isSystem = (message: ChatMessage | undefined) => message?.role === 'system' || message?.role === 'developer'
  return isSystem(messages[at]) && at > 0 && !isSystem(messages[at - 1])
    ? [`Invalid 'messages[${at}].role': System message must be at the beginning.`]
    : []
}

/** Fields that only one client knows are refused if the shape is fixed. */
function keyProblems(message: ChatMessage, at: number): string[] {
  if (message.role === 'user' || message.role === 'assistant') return []
  return Object.keys(message)
    .filter((key) => !KEYS.has(key))
    .map((key) => `messages.${at}: Unrecognized key: "${key}"`)
}

const KEYS: ReadonlySet<string> = new Set(['role', 'content', 'name', 'tool_call_id'])

function textProblems(message: ChatMessage, at: number): string[] {
  const { content } = message
  if (message.role === 'tool' || callsOf(message).length > 0) return []
  const parts = Array.isArray(content) ? content : []
  const empty = parts.some(({ type, text }) => type === 'text' && text === '')
  const image = parts.some(({ type }) => type !== 'text')
  return empty || (contentText(content).trim() === '' && !image)
    ? [`Invalid 'messages[${at}].content': the text is empty.`]
    : []
}

/** The ids of the tool messages directly after a message. */
function resultsAfter(messages: readonly ChatMessage[], at: number): string[] {
  const rest = messages.slice(at + 1)
  const end = rest.findIndex(({ role }) => role !== 'tool')
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))
}

function missingResults(messages: readonly ChatMessage[], at: number): string[] {
  const message = messages[at]
  const ids = message === undefined ? [] : callsOf(message).map(({ id }) => id)
  if (ids.length === 0) return []
  const results = resultsAfter(messages, at)
  const open = ids.filter((id) => !results.includes(id))
  return [
    ...(open.length === 0
      ? []
      : [
          `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
        ]),
    ...repeated(results).map((id) => `Invalid 'messages': there are two results for ${id}.`),
  ]
}

function orphanResults(messages: readonly ChatMessage[], at: number): string[] {
  const message = messages[at]
  if (message?.role !== 'tool') return []
  const caller = messages.slice(0, at).findLast(({ role }) => role !== 'tool')
  const called = caller !== undefined && callsOf(caller).some(({ id }) => id === message.tool_call_id)
  return called
    ? []
    : [
        `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls': messages.[${at}].role`,
      ]
}
