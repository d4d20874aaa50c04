import {
  type AssistantPart,
  type CustomPart,
  jsonText,
  type Message,
  outputText,
  partsOf,
  type ReasoningPart,
  resultsOf,
  type ToolCallPart,
  type ToolResultOutput,
  type ToolResultPart,
} from '../../model/types.ts'
import { contentsOf, sourceOf, urlOf } from '../shared/content-parts.ts'
import { text } from '../shared/json.ts'
import { listWriter } from '../shared/message-list.ts'
import { openAIResponsesOrigins, type ResponseContent, type ResponseItem } from './read.ts'

/** The item of a result for a call of this type: the API pairs each type of call with an output of its own. */
function outputItem({ toolCallId, output }: ToolResultPart, callType: string): ResponseItem {
  switch (callType) {
    case 'shell_call': {
      const outcome = { type: 'exit' as const, exit_code: 0 }
      return {
        type: 'shell_call_output',
        call_id: toolCallId,
        output: [{ stdout: outputText(output), stderr: '', outcome }],
      }
    }
    case 'apply_patch_call':
      return {
        type: 'apply_patch_call_output',
        call_id: toolCallId,
        status: 'completed',
        output: outputText(output),
      }
    case 'local_shell_call':
      return { type: 'local_shell_call_output', id: toolCallId, output: outputText(output) }
    case 'computer_call':
      return {
        type: 'computer_call_output',
        call_id: toolCallId,
        output: { type: 'computer_screenshot', image_url: EMPTY_IMAGE },
      }
    case 'custom_tool_call':
      return { type: 'custom_tool_call_output', call_id: toolCallId, output: outputContent(output) }
    default:
      return { type: 'function_call_output', call_id: toolCallId, output: outputContent(output) }
  }
}

function outputContent(output: ToolResultOutput): string | ResponseContent[] {
  const contents = contentsOf(output)
  const [only] = contents
  if (contents.length === 1 && only?.type === 'text') return only.text
  return contents.map((part): ResponseContent => {
    const source = part.type === 'text' ? undefined : sourceOf(part)
    if (source !== undefined) return { type: 'input_image', image_url: urlOf(source), detail: 'auto' }
    return { type: 'input_text', text: part.type === 'text' ? part.text : `[${part.type}]` }
  })
}

/** The API accepts only an image as a screenshot. One pixel replaces a screenshot that is gone. */
const EMPTY_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/**
 * Our messages as input items of the OpenAI Responses API. Items from `fromOpenAIResponses` that nobody has changed are returned as
 * the original objects; in the others, reasoning of other providers is left out.
 */
export function toOpenAIResponses(messages: readonly Message[]): ResponseItem[] {
  return responseItems(messages, new Map())
}

/** Writes the messages that would be sent, in the form of the OpenAI Responses API. */
export const writeOpenAIResponses = listWriter(toOpenAIResponses)

/** The same for a part of a conversation; `calls` remembers the type of each call, because the type of its output depends on it. */
export function responseItems(messages: readonly Message[], calls: Map<string, string>): ResponseItem[] {
  return openAIResponsesOrigins.stretchesOf(messages).flatMap((stretch): readonly ResponseItem[] => {
    const items = 'item' in stretch ? [stretch.item] : itemsOf(stretch.message, calls)
    for (const item of items)
      if ('call_id' in item && !item.type.endsWith('_output')) calls.set(item.call_id, item.type)
    return items
  })
}

function itemsOf(message: Message, calls: ReadonlyMap<string, string>): ResponseItem[] {
  if (message.role === 'system') return [inputMessage('developer', message)]
  if (message.role === 'user') return [inputMessage('user', message)]
  if (message.role === 'assistant') return answerItems(partsOf(message) as readonly AssistantPart[])
  return resultsOf(message).map((part) => outputItem(part, calls.get(part.toolCallId) ?? 'function_call'))
}

function inputMessage(role: 'developer' | 'user', message: Message): ResponseItem {
  const content = partsOf(message).flatMap((part): ResponseContent[] => {
    if (part.type === 'text') return [{ type: 'input_text', text: part.text }]
    if (part.type !== 'image' && part.type !== 'file') return []
    const source = sourceOf(part)
    if (source === undefined) return [{ type: 'input_text', text: `[${part.type}]` }]
    if (part.type === 'image') return [{ type: 'input_image', image_url: urlOf(source), detail: 'auto' }]
    return [{ type: 'input_file', filename: part.filename ?? 'file', file_data: urlOf(source) }]
  })
  return { type: 'message', role, content }
}

function answerItems(parts: readonly AssistantPart[]): ResponseItem[] {
  return parts.flatMap((part): ResponseItem[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [answerMessage(part.text)]
      case 'reasoning':
        return reasoningItem(part)
      case 'custom':
        return compactionItem(part)
      case 'tool-call':
        return part.providerExecuted === true ? [] : [callItem(part)]
      case 'tool-result':
        // A tool that another provider ran: the API has no item for it.
        return [answerMessage(`[${part.toolName}] ${outputText(part.output)}`)]
      default:
        return []
    }
  })
}

function answerMessage(words: string): ResponseItem {
  return { type: 'message', role: 'assistant', content: words }
}

function reasoningItem({ text: words, providerOptions }: ReasoningPart): ResponseItem[] {
  const { itemId, reasoningEncryptedContent } = providerOptions?.openai ?? {}
  if (typeof reasoningEncryptedContent !== 'string' || reasoningEncryptedContent === '') return []
  const summary = words === '' ? [] : [{ type: 'summary_text', text: words }]
  // The SDK's type wants an id; the API does not, and not everybody keeps it.
  return [{ type: 'reasoning', id: itemId, summary, encrypted_content: reasoningEncryptedContent } as ResponseItem]
}

function compactionItem({ kind, providerOptions }: CustomPart): ResponseItem[] {
  const { itemId, encryptedContent } = providerOptions?.openai ?? {}
  if (kind !== 'openai.compaction' || typeof encryptedContent !== 'string') return []
  return [{ type: 'compaction', id: text(itemId), encrypted_content: encryptedContent }]
}

function callItem({ toolCallId, toolName, input, providerOptions }: ToolCallPart): ResponseItem {
  const name = toolName.replaceAll(/[^\w-]/g, '_').slice(0, 64)
  if (typeof input === 'string') return { type: 'custom_tool_call', call_id: toolCallId, name, input }
  const namespace = text(providerOptions?.openai?.namespace)
  return {
    type: 'function_call',
    call_id: toolCallId,
    name,
    arguments: jsonText(input),
    namespace,
  }
}
