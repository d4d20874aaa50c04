import {
  type AssistantPart,
  jsonText,
  type Message,
  partsOf,
  resultsOf,
  type ToolCallPart,
  type ToolResultPart,
} from '../../model/types.ts'
import { contentsOf, type DataSource, sourceOf, urlOf } from '../shared/content-parts.ts'
import { listWriter } from '../shared/message-list.ts'
import { type ChatCall, type ChatPart, type ChatText, type OpenAIChatMessage, openAIChatOrigins } from './read.ts'

/**
 * Our messages for the OpenAI Chat Completions API. Messages from `fromOpenAIChat` that nobody has changed are returned as the
 * original objects; the others lose their reasoning, because the API has no form for it.
 */
export function toOpenAIChat(messages: readonly Message[]): OpenAIChatMessage[] {
  return openAIChatOrigins
    .stretchesOf(messages)
    .flatMap((stretch) => ('item' in stretch ? [stretch.item] : chatMessages(stretch.message)))
}

/** Writes the messages that would be sent, in the form of the OpenAI Chat Completions API. */
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
      return resultsOf(message).map(toolMessage)
  }
}

function userContent(message: Message): string | ChatPart[] {
  if (typeof message.content === 'string') return message.content
  return partsOf(message).flatMap((part): ChatPart[] => {
    const came = openAIChatOrigins.blockOf<ChatPart>(part)
    if (came !== undefined) return [came]
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    const source = part.type === 'image' || part.type === 'file' ? sourceOf(part) : undefined
    return source === undefined ? [] : [mediaPart(source, part.type === 'file' ? part.filename : undefined)]
  })
}

function mediaPart(source: DataSource, filename = 'file'): ChatPart {
  const { mediaType = 'image/png' } = source
  const url = urlOf(source)
  if (source.kind === 'url' || mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  if (mediaType.startsWith('audio/')) {
    const format = /mpeg|mp3/.test(mediaType) ? 'mp3' : 'wav'
    return { type: 'input_audio', input_audio: { data: source.data, format } }
  }
  return { type: 'file', file: { file_data: url, filename } }
}

function answer(parts: readonly AssistantPart[]): OpenAIChatMessage[] {
  const words = parts.flatMap((part): ChatText[] =>
    part.type === 'text' ? [openAIChatOrigins.blockOf<ChatText>(part) ?? { type: 'text', text: part.text }] : [],
  )
  const calls = parts.filter(
    (part): part is ToolCallPart => part.type === 'tool-call' && part.providerExecuted !== true,
  )
  if (words.length === 0 && calls.length === 0) return []
  const [only] = words
  // A refusal has no field `text`, and stays a part.
  const content = words.length === 1 && only?.text !== undefined ? only.text : words.length === 0 ? null : words
  return [{ role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }) }]
}

function toolCall(part: ToolCallPart): ChatCall {
  const came = openAIChatOrigins.blockOf<ChatCall>(part)
  if (came !== undefined) return came
  const { toolCallId, toolName, input } = part
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
      : contents.map((part): ChatText => ({ type: 'text', text: part.type === 'text' ? part.text : `[${part.type}]` }))
  return { role: 'tool', tool_call_id: toolCallId, content }
}
