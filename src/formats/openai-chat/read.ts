import { type AssistantPart, callsOf, type Message, type ToolCallPart, type UserPart } from '../../model/types.ts'
import {
  callPart,
  contentOfParts,
  imagePart,
  inputOf,
  outputOf,
  placeholderPart,
  sourceOfUrl,
} from '../shared/content-parts.ts'
import { type Fields, fields, objects, text, type WithMore } from '../shared/json.ts'
import { listReader } from '../shared/message-list.ts'
import { Origins } from '../shared/origins.ts'

/**
 * Messages of the OpenAI Chat Completions API as ours. `toOpenAIChat` returns unchanged messages as the original objects.
 * Reasoning that a server adds as `reasoning_content` is kept.
 */
export function fromOpenAIChat(messages: readonly OpenAIChatInput[]): Message[] {
  const read = openAIChatReader(openAIChatOrigins)
  return messages.flatMap((item) => {
    const made = read(item)
    const kept: Message[] = made.length > 0 ? made : [{ role: 'user', content: '' }]
    openAIChatOrigins.noteItem(item, kept)
    return kept
  })
}

/** The messages that were read from lists of the OpenAI Chat Completions API. */
export const openAIChatOrigins = new Origins<OpenAIChatMessage>()

type ChatOrigins = Pick<typeof openAIChatOrigins, 'noteBlock'>

/** Reads the messages of a conversation one by one: a result gets its tool's name from the call before it. */
export function openAIChatReader(origins?: ChatOrigins): (message: Fields) => Message[] {
  const names = new Map<string, string>()
  return (message) => {
    const made = messageOf(message, names, origins)
    for (const call of made === undefined ? [] : callsOf(made)) names.set(call.toolCallId, call.toolName)
    return made === undefined ? [] : [made]
  }
}

/** Reads messages of the OpenAI Chat Completions API, alone or in a request. */
export const readOpenAIChat = listReader((messages) => objects(messages).map(openAIChatReader()))

function messageOf(message: Fields, names: ReadonlyMap<string, string>, origins?: ChatOrigins): Message | undefined {
  const parts = contentParts(message.content, origins)
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') }
    case 'assistant': {
      const content = assistantParts(message, parts, origins)
      if (content.length > 0) return { role: 'assistant', content }
      return origins === undefined ? undefined : { role: 'assistant', content: otherWords(message) }
    }
    case 'tool':
    case 'function': {
      const toolCallId = text(message.tool_call_id) ?? text(message.name) ?? ''
      const toolName = names.get(toolCallId) ?? text(message.name) ?? 'unknown'
      const output = outputOf(parts.flatMap((part) => (part.type === 'text' ? [part] : [])))
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    case 'user':
      if (parts.length === 0) return undefined
      return { role: 'user', content: isBare(message.content, origins) ? contentOfParts(parts) : parts }
    default:
      return origins === undefined
        ? undefined
        : { role: 'user', content: placeholderPart({ type: message.role, ...message }).text }
  }
}

/** A text for an answer that has neither text nor calls, such as an audio answer. */
function otherWords({ role, content: _, ...rest }: Fields): string {
  const objectFields = Object.entries(rest).filter(([key, value]) => key !== 'name' && fields(value) !== undefined)
  return objectFields.length === 0 ? '' : placeholderPart({ type: role, ...Object.fromEntries(objectFields) }).text
}

/** True when the content may become a bare text: no other field has to be written back. */
function isBare(content: unknown, origins?: ChatOrigins): boolean {
  return origins === undefined || typeof content === 'string'
}

function contentParts(content: unknown, origins?: ChatOrigins): UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objects(content).flatMap((block): UserPart[] => {
    const part = contentPart(block) ?? (origins && placeholderPart(block))
    if (part !== undefined) origins?.noteBlock(block, part)
    return part === undefined ? [] : [part]
  })
}

function contentPart(part: Fields): UserPart | undefined {
  const words = text(part.text) ?? text(part.refusal)
  if (words !== undefined) return { type: 'text', text: words }
  const url = text(fields(part.image_url)?.url) ?? text(part.image_url)
  if (url !== undefined) return imagePart(sourceOfUrl(url))
  const audio = fields(part.input_audio)
  if (audio !== undefined) {
    return {
      type: 'file',
      data: String(audio.data ?? ''),
      mediaType: audio.format === 'mp3' ? 'audio/mpeg' : 'audio/wav',
    }
  }
  const { file_data: data, filename } = fields(part.file) ?? {}
  if (text(data) === undefined) return undefined
  const source = sourceOfUrl(String(data))
  const name = text(filename) === undefined ? {} : { filename: String(filename) }
  const bytes = source.kind === 'data' ? source.data : String(data)
  return { type: 'file', data: bytes, mediaType: source.mediaType ?? 'application/pdf', ...name }
}

function assistantParts(message: Fields, parts: readonly UserPart[], origins?: ChatOrigins): AssistantPart[] {
  const thought = text(message.reasoning_content) ?? text(message.reasoning)
  const refusal = origins === undefined ? undefined : text(message.refusal)
  return [
    ...(thought === undefined ? [] : [{ type: 'reasoning' as const, text: thought }]),
    ...parts.filter((part) => part.type === 'text'),
    ...(refusal === undefined ? [] : [{ type: 'text' as const, text: refusal }]),
    ...objects(message.tool_calls).map((block) => {
      const part = call(block)
      origins?.noteBlock(block, part)
      return part
    }),
  ]
}

function call(block: Fields): ToolCallPart {
  const made = fields(block.function) ?? fields(block.custom) ?? {}
  return callPart(text(block.id), text(made.name) ?? 'unknown', made.input ?? inputOf(made.arguments))
}

/**
 * The part of the OpenAI SDK's types for Chat Completions that we read and write. We accept its lists
 * (`ChatCompletionMessageParam`), and it accepts the messages that we write, without a cast.
 */

/** A message of any kind that the API, or a compatible server, has. */
export type OpenAIChatInput = WithMore<{
  readonly role: string
  readonly content?: string | readonly object[] | null
}>

export type ChatText = { type: 'text'; text: string }

export type ChatPart =
  | ChatText
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data: string; filename: string } }

export type ChatCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

/** A message of the OpenAI Chat Completions API. One that came from it may have more fields, and parts of other kinds. */
export type OpenAIChatMessage =
  | { role: 'system' | 'developer'; content: string | ChatText[] }
  | { role: 'user'; content: string | ChatPart[] }
  | { role: 'assistant'; content: string | ChatText[] | null; tool_calls?: ChatCall[] }
  | { role: 'tool'; tool_call_id: string; content: string | ChatText[] }
