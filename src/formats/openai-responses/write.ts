import {
  type AssistantPart,
  jsonText,
  type Message,
  partsOf,
  type ToolCallPart,
  type ToolResultPart,
} from '../../model/message.ts'
import { sourceOf, urlOf } from '../shared/file-data.ts'
import { fields, text } from '../shared/json.ts'
import { listWriter } from '../shared/message-list.ts'
import { contentsOf } from '../shared/result-output.ts'

/** An input item of the OpenAI Responses API. */
export type ResponseItem = { readonly type: string; readonly [key: string]: unknown }

/** Our messages as input items of the OpenAI Responses API; reasoning of other providers is left out. */
export function toOpenAIResponses(messages: readonly Message[]): ResponseItem[] {
  return responseItems(messages, new Set())
}

/** Writes the messages that would be sent as the OpenAI Responses API takes them. */
export const writeOpenAIResponses = listWriter(toOpenAIResponses)

/** The same for a part of a conversation; `custom` remembers the calls whose arguments are a bare text. */
export function responseItems(messages: readonly Message[], custom: Set<string>): ResponseItem[] {
  return messages.flatMap((message): ResponseItem[] => {
    if (message.role === 'system') return [inputMessage('developer', message)]
    if (message.role === 'user') return [inputMessage('user', message)]
    if (message.role === 'assistant') return answerItems(partsOf(message) as readonly AssistantPart[], custom)
    return message.content.flatMap((part) => (part.type === 'tool-result' ? [outputItem(part, custom)] : []))
  })
}

function inputMessage(role: 'developer' | 'user', message: Message): ResponseItem {
  const content = partsOf(message).flatMap((part): ResponseItem[] => {
    if (part.type === 'text') return [{ type: 'input_text', text: part.text }]
    if (part.type !== 'image' && part.type !== 'file') return []
    const source = sourceOf(part)
    if (source === undefined) return [{ type: 'input_text', text: `[${part.type}]` }]
    if (part.type === 'image') return [{ type: 'input_image', image_url: urlOf(source) }]
    return [{ type: 'input_file', filename: part.filename ?? 'file', file_data: urlOf(source) }]
  })
  return { type: 'message', role, content }
}

function answerItems(parts: readonly AssistantPart[], custom: Set<string>): ResponseItem[] {
  const items: ResponseItem[] = []
  let open: { type: string; text: string }[] | undefined
  for (const part of parts) {
    if (part.type === 'text') {
      if (open === undefined) {
        open = []
        items.push({ type: 'message', role: 'assistant', content: open })
      }
      open.push({ type: 'output_text', text: part.text })
      continue
    }
    open = undefined
    if (part.type === 'reasoning') items.push(...reasoningItem(part))
    if (part.type === 'tool-call' && part.providerExecuted !== true) items.push(callItem(part, custom))
  }
  return items
}

function reasoningItem({
  text: words,
  providerOptions,
}: Extract<AssistantPart, { type: 'reasoning' }>): ResponseItem[] {
  const { itemId, reasoningEncryptedContent } = providerOptions?.openai ?? {}
  if (text(reasoningEncryptedContent) === undefined) return []
  return [
    {
      type: 'reasoning',
      id: itemId,
      summary: words === '' ? [] : [{ type: 'summary_text', text: words }],
      encrypted_content: reasoningEncryptedContent,
    },
  ]
}

function callItem({ toolCallId, toolName, input, providerOptions }: ToolCallPart, custom: Set<string>): ResponseItem {
  const name = toolName.replaceAll(/[^\w-]/g, '_').slice(0, 64)
  if (typeof input === 'string') {
    custom.add(toolCallId)
    return { type: 'custom_tool_call', call_id: toolCallId, name, input }
  }
  const action = toolName === 'local_shell' ? fields(fields(input)?.action) : undefined
  if (action !== undefined) return { type: 'local_shell_call', call_id: toolCallId, status: 'completed', action }
  const namespace = text(providerOptions?.openai?.namespace)
  return {
    type: 'function_call',
    call_id: toolCallId,
    name,
    namespace,
    arguments: jsonText(input),
  }
}

function outputItem({ toolCallId, output }: ToolResultPart, custom: ReadonlySet<string>): ResponseItem {
  const contents = contentsOf(output)
  const [only] = contents
  const items = contents.map((part) => {
    const source = part.type === 'text' ? undefined : sourceOf(part)
    if (source !== undefined) return { type: 'input_image', image_url: urlOf(source) }
    return { type: 'input_text', text: part.type === 'text' ? part.text : `[${part.type}]` }
  })
  return {
    type: custom.has(toolCallId) ? 'custom_tool_call_output' : 'function_call_output',
    call_id: toolCallId,
    output: contents.length === 1 && only?.type === 'text' ? only.text : items,
  }
}
