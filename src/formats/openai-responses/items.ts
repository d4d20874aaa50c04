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
import { contentOfParts } from '../shared/content-of-parts.ts'
import { imagePart, inputOf, outputOf, resultFile, sourceOfUrl, textOutput } from '../shared/file-data.ts'
import { type Fields, fields, objects, text } from '../shared/json.ts'
import { standIn } from '../shared/stand-in.ts'

/** The meaning of an item of the OpenAI Responses API in a conversation. */
export type ItemMeaning =
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
    if (url === undefined) return 'text' in part || 'refusal' in part ? [] : [standIn(part)]
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
      return typeof part.text === 'string' ? { type: 'text', text: part.text } : standIn(part)
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
