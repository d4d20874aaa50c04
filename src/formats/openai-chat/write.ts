import {
  type AssistantPart,
  jsonText,
  type Message,
  partsOf,
  type ToolCallPart,
  type ToolResultPart,
} from '../../model/message.ts'
import { sourceOf, urlOf } from '../shared/file-data.ts'
import { listWriter } from '../shared/message-list.ts'
import { contentsOf } from '../shared/result-output.ts'

type ChatPart = { readonly type: string; readonly [key: string]: unknown }

/** A message of the OpenAI Chat Completions API. */
export type OpenAIChatMessage = {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  content?: string | readonly ChatPart[] | null
  tool_calls?: readonly { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** Our messages for the OpenAI Chat Completions API, which has no form for reasoning. */
export function toOpenAIChat(messages: readonly Message[]): OpenAIChatMessage[] {
  return messages.flatMap(chatMessages)
}

/** Writes the messages that would be sent as the OpenAI Chat Completions API takes them. */
export const writeOpenAIChat = listWriter(toOpenAIChat)

function chatMessages(message: Message): OpenAIChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [{ role: 'user', content: userContent(message) }]
    case 'assistant':
      return answer(partsOf(message) as readonly AssistantPart[])
    case 'tool':
      return message.content.flatMap((part) => (part.type === 'tool-result' ? [toolMessage(part)] : []))
  }
}

function userContent(message: Message): NonNullable<OpenAIChatMessage['content']> {
  if (typeof message.content === 'string') return message.content
  return partsOf(message).flatMap((part): ChatPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    const source = part.type === 'image' || part.type === 'file' ? sourceOf(part) : undefined
    return source === undefined ? [] : [{ type: 'image_url', image_url: { url: urlOf(source) } }]
  })
}

function answer(parts: readonly AssistantPart[]): OpenAIChatMessage[] {
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const calls = parts.filter(
    (part): part is ToolCallPart => part.type === 'tool-call' && part.providerExecuted !== true,
  )
  if (words.length === 0 && calls.length === 0) return []
  const [only] = words
  const content = words.length > 1 ? words.map((word) => ({ type: 'text', text: word })) : (only ?? null)
  return [{ role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }) }]
}

function toolCall({ toolCallId, toolName, input }: ToolCallPart): NonNullable<OpenAIChatMessage['tool_calls']>[number] {
  const args = typeof input === 'string' ? input : jsonText(input)
  return {
    id: toolCallId,
    type: 'function',
    function: { name: toolName.replaceAll(/[^\w-]/g, '_').slice(0, 64), arguments: args },
  }
}

function toolMessage({ toolCallId, output }: ToolResultPart): OpenAIChatMessage {
  const contents = contentsOf(output)
  const [only] = contents
  const content =
    contents.length === 1 && only?.type === 'text'
      ? only.text
      : contents.map((part) => ({ type: 'text', text: part.type === 'text' ? part.text : `[${part.type}]` }))
  return { role: 'tool', tool_call_id: toolCallId, content }
}
