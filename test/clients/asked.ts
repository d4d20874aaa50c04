import type { ProtocolName } from '../support/model-server/index.ts'

/** A request of a real agent, read without judging it: agents send much that the strict model server does not know. */
export type Asked = {
  readonly protocol: ProtocolName
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Fields
  readonly model: string
  /** The names of the tools that it declares. */
  readonly tools: readonly string[]
  /** Its messages, each as JSON. */
  readonly messages: readonly string[]
  /** The number of the last turn that was asked for by `turn`, and how many results of tools come after it. */
  readonly turn: number | undefined
  readonly results: number
  /** True when the last message or the system prompt asks for a summary: the agent compacts. */
  readonly isSummary: boolean
}

export type Fields = { readonly [key: string]: unknown }

/** A prompt whose number the model server finds again in what the agent sends. */
export function turn(number: number, words: string): string {
  return `[turn ${number}] ${words}`
}

export function askedOf(
  protocol: ProtocolName,
  request: { path: string; headers: Asked['headers']; body: unknown },
): Asked {
  const body = fieldsOf(request.body)
  const messages = listOf(body.messages ?? body.input ?? body.contents).map((message) => JSON.stringify(message))
  const asking = messages.findLastIndex((message) => TURN.test(message) && !RESULT.test(message))
  const number = [...(messages[asking] ?? '').matchAll(/\[turn (\d+)\]/g)].at(-1)?.[1]
  return {
    protocol,
    path: request.path,
    headers: request.headers,
    body,
    model: String(body.model ?? /models\/([^:]+):/.exec(request.path)?.[1] ?? ''),
    tools: listOf(body.tools).flatMap(toolNames),
    messages,
    turn: number === undefined ? undefined : Number(number),
    results: messages.slice(asking).reduce((sum, message) => sum + [...message.matchAll(RESULTS)].length, 0),
    isSummary: SUMMARY.test(messages.at(-1) ?? '') || SUMMARISER.test(`${JSON.stringify(body.system)} ${messages[0]}`),
  }
}

const TURN = /\[turn \d+\]/
const RESULT = /"tool_result"|_call_output"|"tool_search_output"|"role":"tool"|"functionResponse"/
const RESULTS = new RegExp(RESULT, 'g')
/** opencode's prompt for a second summary, and pi's for a part of a turn, say it nowhere else. */
const SUMMARISER = /You are a context summarization (?:agent|assistant)/
const SUMMARY =
  /create a detailed summary|CONTEXT CHECKPOINT COMPACTION|summarization assistant|structured (?:context checkpoint )?summary|state_snapshot|anchored summary|summarize (?:the|our) conversation|conversation to summarize|detailed prompt for summari/i

function toolNames(tool: unknown): string[] {
  const { name, type, function: declared, functionDeclarations } = fieldsOf(tool)
  if (functionDeclarations !== undefined) return listOf(functionDeclarations).flatMap(toolNames)
  return [String(name ?? fieldsOf(declared).name ?? type ?? '')]
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The handles of the oldest hit of a search, and of the others that it names: the call and its result. */
export function handlesIn(message: string): string {
  const [, handle = '#1', others = ''] = /.*(#\d+) \([^)]*also ([#\d, ]+)\)/s.exec(message) ?? []
  return [handle, ...others.split(', ').filter(Boolean)].join(', ')
}
