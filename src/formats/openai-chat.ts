import type { AssistantPart, Message, ToolCallPart, ToolResultPart, UserPart } from '../model/message.ts'
import { callsOf, jsonText, partsOf } from '../model/message.ts'
import { imagePart, sourceOf, sourceOfUrl, urlOf } from './file-data.ts'
import { type Fields, fields, objects, text } from './json.ts'
import { contentsOf, inputOf, outputOf } from './result-output.ts'

type ChatPart = { readonly type: string; readonly [key: string]: unknown }

/** A message of the OpenAI Chat Completions API. */
export type OpenAIChatMessage = {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  content?: string | readonly ChatPart[] | null
  tool_calls?: readonly { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** Messages of the OpenAI Chat Completions API as ours. Reasoning that a server adds as `reasoning_content` is kept. */
export function fromOpenAIChat(messages: readonly unknown[]): Message[] {
  const names = new Map<string, string>()
  return objects(messages).flatMap((message): Message[] => {
    const made = messageOf(message, names)
    for (const call of made === undefined ? [] : callsOf(made)) names.set(call.toolCallId, call.toolName)
    return made === undefined ? [] : [made]
  })
}

/** Our messages for the OpenAI Chat Completions API, which has no form for reasoning. */
export function toOpenAIChat(messages: readonly Message[]): OpenAIChatMessage[] {
  return messages.flatMap(chatMessages)
}

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

function messageOf(message: Fields, names: ReadonlyMap<string, string>): Message | undefined {
  const parts = contentParts(message.content)
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') }
    case 'assistant': {
      const content = assistantParts(message, parts)
      return content.length === 0 ? undefined : { role: 'assistant', content }
    }
    case 'tool':
    case 'function': {
      const toolCallId = text(message.tool_call_id) ?? text(message.name) ?? ''
      const toolName = names.get(toolCallId) ?? text(message.name) ?? 'unknown'
      const output = outputOf(parts.flatMap((part) => (part.type === 'text' ? [part] : [])))
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    case 'user': {
      const [only] = parts
      if (only === undefined) return undefined
      return { role: 'user', content: parts.length === 1 && only.type === 'text' ? only.text : parts }
    }
    default:
      return undefined
  }
}

function contentParts(content: unknown): UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objects(content).flatMap((part): UserPart[] => {
    const words = text(part.text) ?? text(part.refusal)
    if (words !== undefined) return [{ type: 'text', text: words }]
    const url = text(fields(part.image_url)?.url) ?? text(part.image_url)
    return url === undefined ? [] : [imagePart(sourceOfUrl(url))]
  })
}

function assistantParts(message: Fields, parts: readonly UserPart[]): AssistantPart[] {
  const thought = text(message.reasoning_content) ?? text(message.reasoning)
  return [
    ...(thought === undefined ? [] : [{ type: 'reasoning' as const, text: thought }]),
    ...parts.filter((part) => part.type === 'text'),
    ...objects(message.tool_calls).map(call),
  ]
}

function call(block: Fields): ToolCallPart {
  const made = fields(block.function) ?? fields(block.custom) ?? {}
  return {
    type: 'tool-call',
    toolCallId: text(block.id) ?? '',
    toolName: text(made.name) ?? 'unknown',
    input: made.input ?? inputOf(made.arguments),
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
