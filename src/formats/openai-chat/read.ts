import { type AssistantPart, callsOf, type Message, type ToolCallPart, type UserPart } from '../../model/message.ts'
import { contentOfParts } from '../shared/content-of-parts.ts'
import { imagePart, sourceOfUrl } from '../shared/file-data.ts'
import { type Fields, fields, objects, text } from '../shared/json.ts'
import { listReader } from '../shared/message-list.ts'
import { inputOf, outputOf } from '../shared/result-output.ts'

/** Messages of the OpenAI Chat Completions API as ours. Reasoning that a server adds as `reasoning_content` is kept. */
export function fromOpenAIChat(messages: readonly unknown[]): Message[] {
  return objects(messages).flatMap(openAIChatReader())
}

/** Reads the messages of a conversation one by one: a result gets its tool's name from the call before it. */
export function openAIChatReader(): (message: Fields) => Message[] {
  const names = new Map<string, string>()
  return (message) => {
    const made = messageOf(message, names)
    for (const call of made === undefined ? [] : callsOf(made)) names.set(call.toolCallId, call.toolName)
    return made === undefined ? [] : [made]
  }
}

/** Reads messages of the OpenAI Chat Completions API, alone or in a request. */
export const readOpenAIChat = listReader(fromOpenAIChat)

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
    case 'user':
      return parts.length === 0 ? undefined : { role: 'user', content: contentOfParts(parts) }
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
