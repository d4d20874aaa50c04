import { isNativeCompaction } from '../../model/items.ts'
import {
  type AssistantPart,
  type JsonValue,
  jsonText,
  type Message,
  type ProviderOptions,
  type ToolResultContent,
  type ToolResultOutput,
  type UserPart,
} from '../../model/types.ts'
import {
  contentOfParts,
  imagePart,
  inputOf,
  outputOf,
  placeholderPart,
  resultFile,
  sourceOfUrl,
  textOutput,
} from '../shared/content-parts.ts'
import { type Fields, fields, objects, text, type WithMore } from '../shared/json.ts'
import { LogBuilder, type MessageFacts } from '../shared/log-builder.ts'
import { listReader } from '../shared/message-list.ts'
import { Origins } from '../shared/origins.ts'

/**
 * Input items of the OpenAI Responses API as our messages; all items of one answer become one message. `toOpenAIResponses` returns
 * unchanged items as the original objects.
 */
export function fromOpenAIResponses(items: readonly ResponseInput[]): Message[] {
  return messagesOfItems(items, meaningOf, openAIResponsesOrigins)
}

/** The same for items of a similar form, with other origins. */
export function messagesOfItems<Item extends ResponseInput>(
  items: readonly Item[],
  meaning: (item: Item) => ItemMeaning | undefined,
  origins: Pick<typeof openAIResponsesOrigins, 'noteItem' | 'noteLeaves'>,
): Message[] {
  const list = new MessageList(origins)
  for (const item of items) list.add(meaning(item) ?? unknownItem(item), item)
  return list.messages
}

/** The messages that were read from lists of the OpenAI Responses API. */
export const openAIResponsesOrigins = new Origins<ResponseItem>()

/** Reads input items of the OpenAI Responses API, alone or in a request. */
export const readOpenAIResponses = listReader((items) => {
  const log = new LogBuilder()
  for (const item of objects(items)) addMeaning(log, meaningOf(item))
  const system = log.system.map((content): Message => ({ role: 'system', content }))
  const messages = log.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  return [...system, ...messages].map((message) => [message])
})

/** Appends the meaning of an item to a log. */
export function addMeaning(log: LogBuilder, meaning: ItemMeaning | undefined, facts: MessageFacts = {}): void {
  if (meaning?.kind === 'system') log.system.push(meaning.text)
  else if (meaning?.kind === 'user') log.say(meaning.message, facts)
  else if (meaning?.kind === 'answer') log.answer(meaning.parts, facts)
  else if (meaning?.kind === 'result') {
    const { toolCallId, output, toolName } = meaning
    log.result(toolCallId, output, { ...facts, toolName })
  }
}

/** Messages in the order of their items. The items of each message are noted in `origins`. */
class MessageList {
  readonly messages: Message[] = []
  readonly #names = new Map<string, string>()
  readonly #origins: Pick<typeof openAIResponsesOrigins, 'noteItem' | 'noteLeaves'>
  #answer: AssistantPart[] | undefined

  constructor(origins: Pick<typeof openAIResponsesOrigins, 'noteItem' | 'noteLeaves'>) {
    this.#origins = origins
  }

  add(meaning: ItemMeaning, item: ResponseInput): void {
    if (meaning.kind === 'answer') this.#addAnswer(meaning.parts, item)
    else {
      this.#answer = undefined
      const message = this.#messageOf(meaning)
      this.messages.push(message)
      this.#origins.noteItem(item, [message])
    }
  }

  #addAnswer(parts: readonly AssistantPart[], item: ResponseInput): void {
    for (const part of parts) if (part.type === 'tool-call') this.#names.set(part.toolCallId, part.toolName)
    this.#origins.noteLeaves(item, parts)
    // A compaction of the API is a message of its own, so that the view can be cut after it.
    const isApart = parts.some(isNativeCompaction)
    if (this.#answer !== undefined && !isApart) this.#answer.push(...parts)
    else {
      this.#answer = [...parts]
      this.messages.push({ role: 'assistant', content: this.#answer })
    }
    if (isApart) this.#answer = undefined
  }

  #messageOf(meaning: Exclude<ItemMeaning, { kind: 'answer' }>): Message {
    if (meaning.kind === 'user') return meaning.message
    if (meaning.kind === 'system') return { role: 'system', content: meaning.text }
    const { toolCallId, output, toolName = 'unknown' } = meaning
    const name = this.#names.get(toolCallId) ?? toolName
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: name, output }] }
  }
}

function isInstructionOrUser({ type, role }: ResponseInput): boolean {
  return (type === undefined || type === null || type === 'message') && role !== 'assistant'
}

/** An item of an unknown kind keeps its position, so that it is counted there. So do instructions that have no text, such as images. */
function unknownItem(item: ResponseInput): ItemMeaning {
  if (!isInstructionOrUser(item) || item.role === undefined) return { kind: 'answer', parts: [placeholderPart(item)] }
  const parts = objects((item as Fields).content)
  if (item.role === 'user' || parts.length === 0) return { kind: 'user', message: { role: 'user', content: '' } }
  return { kind: 'system', text: parts.map((part) => placeholderPart(part).text).join('\n\n') }
}

/**
 * The part of the OpenAI SDK's types for the Responses API that we read and write. We accept its lists (`ResponseInputItem`), and
 * it accepts the items that we write, without a cast.
 */

/** An item as it comes: of any kind that the API has. */
export type ResponseInput = WithMore<{ readonly type?: string | null; readonly role?: string }>

export type ResponseContent =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }

/** An input item of the OpenAI Responses API. One that came from it may be of another kind. */
export type ResponseItem =
  | { type: 'message'; role: 'developer' | 'user'; content: ResponseContent[] }
  | { type: 'message'; role: 'assistant'; content: string }
  | {
      type: 'reasoning'
      id: string
      summary: { type: 'summary_text'; text: string }[]
      encrypted_content: string
    }
  | { type: 'function_call'; call_id: string; name: string; arguments: string; namespace?: string }
  | { type: 'custom_tool_call'; call_id: string; name: string; input: string }
  | { type: 'compaction'; id?: string; encrypted_content: string }
  | { type: 'function_call_output' | 'custom_tool_call_output'; call_id: string; output: string | ResponseContent[] }
  | {
      type: 'shell_call_output'
      call_id: string
      output: { stdout: string; stderr: string; outcome: { type: 'exit'; exit_code: number } }[]
    }
  | { type: 'apply_patch_call_output'; call_id: string; status: 'completed' | 'failed'; output: string }
  | { type: 'local_shell_call_output'; id: string; output: string }
  | {
      type: 'computer_call_output'
      call_id: string
      output: { type: 'computer_screenshot'; image_url: string }
    }

/** The meaning of an item of the OpenAI Responses API in a conversation. */
type ItemMeaning =
  | { readonly kind: 'system'; readonly text: string }
  | { readonly kind: 'user'; readonly message: Message }
  | { readonly kind: 'answer'; readonly parts: AssistantPart[] }
  | {
      readonly kind: 'result'
      readonly toolCallId: string
      readonly toolName?: string
      readonly output: ToolResultOutput
    }

/** Reads an item of the OpenAI Responses API; undefined for an item without content for a model. */
export function meaningOf(item: Fields): ItemMeaning | undefined {
  switch (item.type) {
    case undefined:
    case 'message':
      return messageMeaning(item)
    case 'reasoning':
      return answer(reasoning(item))
    case 'function_call':
      return answer([call(item, text(item.name) ?? 'unknown', inputOf(item.arguments))])
    case 'custom_tool_call':
      return answer([call(item, text(item.name) ?? 'unknown', item.input ?? '')])
    case 'local_shell_call':
      return answer([call(item, 'local_shell', { action: item.action })])
    case 'tool_search_call':
      return answer([call(item, 'tool_search', inputOf(item.arguments))])
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return result(item, outputFrom(item.output))
    case 'tool_search_output':
      return result(item, textOutput(jsonText(item.tools ?? [])), 'tool_search')
    case 'web_search_call':
    case 'file_search_call':
    case 'code_interpreter_call':
    case 'mcp_call':
      return answer(ranByProvider(item))
    case 'compaction':
    case 'compaction_summary':
      return answer([compaction(item)])
    default:
      return otherCall(item)
  }
}

/** The provider's own summary of the messages before it, in the AI SDK's form. Nobody else can read it. */
function compaction(item: Fields): AssistantPart {
  const openai = { type: 'compaction', itemId: text(item.id), encryptedContent: text(item.encrypted_content) }
  return { type: 'custom', kind: 'openai.compaction', providerOptions: { openai } }
}

/** Calls of other tools, and their results, belong together as those of functions do. */
function otherCall(item: Fields): ItemMeaning | undefined {
  const { type, id: _, call_id, status: __, ...rest } = item
  const [, name, isResult] = /^(\w+)_call(_output)?$/.exec(String(type)) ?? []
  if (name === undefined || text(call_id) === undefined) return undefined
  return isResult === undefined ? answer([call(item, name, rest)]) : result(item, outputFrom(item.output ?? rest), name)
}

function messageMeaning(item: Fields): ItemMeaning | undefined {
  const parts = contentParts(item.content)
  if (item.role === 'assistant') {
    return answer(parts.filter((part): part is Extract<UserPart, { type: 'text' }> => part.type === 'text'))
  }
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  if (item.role !== 'user') return words === '' ? undefined : { kind: 'system', text: words }
  if (parts.length === 0) return undefined
  return { kind: 'user', message: { role: 'user', content: contentOfParts(parts) } }
}

function contentParts(content: unknown): UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objects(content).flatMap((part): UserPart[] => {
    const words = text(part.text) ?? text(part.refusal)
    if (words !== undefined) return [{ type: 'text', text: words }]
    const url = text(part.image_url) ?? text(part.file_data) ?? text(part.file_url)
    if (url === undefined) return 'text' in part || 'refusal' in part ? [] : [placeholderPart(part)]
    const source = sourceOfUrl(url)
    if (part.type === 'input_image') return [imagePart(source)]
    const data = source.kind === 'data' ? source.data : source.url
    return [{ type: 'file', data, mediaType: source.mediaType ?? 'application/pdf' }]
  })
}

function answer(parts: AssistantPart[]): ItemMeaning | undefined {
  return parts.length === 0 ? undefined : { kind: 'answer', parts }
}

function reasoning(item: Fields): AssistantPart[] {
  const words = [...objects(item.summary), ...objects(item.content)].flatMap((part) => text(part.text) ?? [])
  const encrypted = text(item.encrypted_content)
  if (words.length === 0 && encrypted === undefined) return []
  const itemId = text(item.id)
  const providerOptions = openaiOptions({ itemId, reasoningEncryptedContent: encrypted })
  return [{ type: 'reasoning', text: words.join('\n\n'), providerOptions }]
}

function call(item: Fields, toolName: string, input: unknown): AssistantPart {
  const providerOptions = openaiOptions({ namespace: text(item.namespace) })
  return { type: 'tool-call', toolCallId: callId(item), toolName, input, providerOptions }
}

function callId(item: Fields): string {
  return text(item.call_id) ?? text(item.id) ?? ''
}

function result(item: Fields, output: ToolResultOutput, toolName?: string): ItemMeaning {
  return { kind: 'result', toolCallId: callId(item), output, toolName }
}

/** The output of a call, whose form depends on the tool. */
function outputFrom(output: unknown): ToolResultOutput {
  if (typeof output === 'string') return textOutput(output)
  const wrapped = fields(output)
  if (wrapped !== undefined)
    return textOutput(text(wrapped.content) ?? JSON.stringify(output), wrapped.success === false)
  return outputOf(
    objects(output).map((part): ToolResultContent => {
      const url = text(part.image_url) ?? text(part.file_data)
      if (url !== undefined) return resultFile(sourceOfUrl(url))
      return typeof part.text === 'string' ? { type: 'text', text: part.text } : placeholderPart(part)
    }),
  )
}

/** A tool that the provider ran itself: the item is its call and its result. */
function ranByProvider(item: Fields): AssistantPart[] {
  const { type, id, call_id, status, output, ...rest } = item
  const toolCallId = callId(item)
  if (toolCallId === '') return []
  const toolName = text(item.name) ?? String(type).replace(/_call$/, '')
  const value = (output ?? { status: status ?? 'completed' }) as JsonValue
  return [
    { type: 'tool-call', toolCallId, toolName, input: rest.action ?? inputOf(rest.arguments), providerExecuted: true },
    { type: 'tool-result', toolCallId, toolName, output: { type: 'json', value } },
  ]
}

function openaiOptions(known: Readonly<Record<string, string | undefined>>): ProviderOptions | undefined {
  const openai = Object.entries(known).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
  return openai.length === 0 ? undefined : { openai: Object.fromEntries(openai) }
}
