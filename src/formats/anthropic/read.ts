import {
  type AssistantPart,
  callsOf,
  type JsonValue,
  type Message,
  type TextPart,
  type ToolResultContent,
  type ToolResultOutput,
  type ToolResultPart,
  type UserPart,
} from '../../model/types.ts'
import {
  callPart,
  contentOfParts,
  type DataSource,
  imagePart,
  outputOf,
  placeholderPart,
  resultFile,
} from '../shared/content-parts.ts'
import { type Fields, fields, objects, text, type WithMore } from '../shared/json.ts'
import { listReader } from '../shared/message-list.ts'
import { Origins } from '../shared/origins.ts'
import { reminder } from '../shared/user-words.ts'

/**
 * The part of the Anthropic SDK's types that we read and write. We accept its lists (`MessageParam`, `BetaMessageParam`), and it
 * accepts the messages that we write, without a cast.
 */

/** A message as it comes: of any kind that the API has. */
export type AnthropicInput = WithMore<{ readonly role: string; readonly content?: string | readonly object[] }>

export type AnthropicText = { type: 'text'; text: string }

export type AnthropicImage = {
  type: 'image'
  source: { type: 'base64'; media_type: ImageType; data: string } | { type: 'url'; url: string }
}

export type AnthropicDocument = {
  type: 'document'
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string }
}

export type AnthropicResult = {
  type: 'tool_result'
  tool_use_id: string
  content: string | (AnthropicText | AnthropicImage | AnthropicDocument)[]
  is_error?: true
}

/** A block of a message of Anthropic's Messages API. */
export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | AnthropicDocument
  | AnthropicResult
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }

/** A message of the Anthropic API. One that came from it may hold blocks of other kinds, too. */
export type AnthropicMessage = { role: 'user' | 'assistant'; content: string | AnthropicBlock[] }

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
type ImageType = (typeof IMAGE_TYPES)[number]

/** The media type, if it is one of the images that the API accepts. */
export function imageType(mediaType: string): ImageType | undefined {
  return IMAGE_TYPES.find((type) => type === mediaType)
}

/**
 * Messages of the Anthropic API as ours: each tool result is a message, reasoning keeps its signature. `toAnthropic` returns
 * unchanged messages as the original objects.
 */
export function fromAnthropic(messages: readonly AnthropicInput[]): Message[] {
  const read = anthropicReader(anthropicOrigins)
  return messages.flatMap((message) => {
    const made = read(message)
    anthropicOrigins.noteItem(message, made)
    return made
  })
}

/** The messages that were read from lists of the Anthropic API. */
export const anthropicOrigins = new Origins<AnthropicMessage>()

/** Reads the messages of a conversation one by one: a result gets its tool's name from the call before it. */
export function anthropicReader(origins?: AnthropicOrigins): (message: Fields) => Message[] {
  const names = new Map<string, string>()
  const nameOf = (id: string) => names.get(id) ?? 'unknown'
  return ({ role, content }) => {
    if (role === 'system' && origins !== undefined) return [{ role, content: wordsOf(content) }]
    const made = role === 'assistant' ? answers(content, origins) : userMessages(ofRole(role, content), nameOf, origins)
    for (const call of made.flatMap(callsOf)) names.set(call.toolCallId, call.toolName)
    // With `origins` a message without content needs a place, too, so that it can be written back.
    if (made.length > 0 || origins === undefined) return made
    return [{ role: role === 'assistant' ? role : 'user', content: '' }]
  }
}

/** Only the role `user` is the user's. Texts in another role among the messages come from the program. */
function ofRole(role: unknown, content: unknown): unknown {
  return role === undefined || role === 'user' ? content : markedBlocks(content)
}

/** The blocks of a content with marks around texts of the program: texts of skills, notes about images, … */
export function markedBlocks(content: unknown): Fields[] {
  return contentBlocks(content).map((block) =>
    typeof block.text === 'string' ? { ...block, text: reminder(block.text) } : block,
  )
}

type AnthropicOrigins = Pick<typeof anthropicOrigins, 'noteBlock'>

/** Reads messages of the Anthropic API, alone or in a request. */
export const readAnthropic = listReader((messages) => objects(messages).map(anthropicReader()))

function answers(content: unknown, origins?: AnthropicOrigins): Message[] {
  const parts = assistantParts(content, origins)
  return parts.length === 0 ? [] : [{ role: 'assistant', content: parts }]
}

function wordsOf(content: unknown): string {
  return contentBlocks(content)
    .map((block) => String(block.text ?? ''))
    .join('\n')
}

/** True for the API's own summary of the messages before it. One without content means that it failed. */
function isCompaction(block: Fields): boolean {
  return block.type === 'compaction' && text(block.content) !== undefined
}

/** The AI SDK's form of the API's own summary. The fields that the SDK does not know have to go back verbatim, too. */
function compaction({ content, signature, encrypted_content, tool_changes }: Fields): TextPart {
  const anthropic = {
    type: 'compaction',
    ...(text(signature) === undefined ? {} : { signature: String(signature) }),
    ...(text(encrypted_content) === undefined ? {} : { encryptedContent: String(encrypted_content) }),
    ...(Array.isArray(tool_changes) ? { toolChanges: tool_changes as JsonValue[] } : {}),
  }
  return { type: 'text', text: String(content), providerOptions: { anthropic } }
}

/** The blocks of a content, which may be a bare text. */
export function contentBlocks(content: unknown): Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
}

/** The parts of an assistant's content. Reasoning keeps its signature, because the API refuses it otherwise. */
export function assistantParts(content: unknown, origins?: AnthropicOrigins): AssistantPart[] {
  return contentBlocks(content).flatMap((block): AssistantPart[] => {
    const [part = origins && placeholderPart(block)] = assistantPart(block)
    if (part !== undefined) origins?.noteBlock(block, part)
    return part === undefined ? [] : [part]
  })
}

function assistantPart(block: Fields): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return text(block.text) === undefined ? [] : [{ type: 'text', text: String(block.text) }]
    case 'thinking':
      return [reasoning(String(block.thinking ?? ''), { signature: text(block.signature) })]
    case 'redacted_thinking':
      return [reasoning('', { redactedData: text(block.data) })]
    case 'tool_use':
      return [callPart(block.id, block.name, block.input)]
    case 'server_tool_use':
      return [{ ...callPart(block.id, block.name, block.input), providerExecuted: true }]
    default:
      if (isCompaction(block)) return [compaction(block)]
      return String(block.type).endsWith('_tool_result') ? [ranByProvider(block)] : []
  }
}

/** A user's content as messages: tool results first, each in a message of its own, then the user's own parts. */
export function userMessages(content: unknown, nameOf: (id: string) => string, origins?: AnthropicOrigins): Message[] {
  const blocks = contentBlocks(content)
  const results = blocks.filter(isResult).map((block): Message => {
    const result = resultPart(block, nameOf, origins === undefined ? unnamed : placeholderPart)
    origins?.noteBlock(block, result)
    return { role: 'tool', content: [result] }
  })
  const userParts = blocks.flatMap((block) => {
    const part = isResult(block) ? undefined : (userPart(block) ?? (origins && placeholderPart(block)))
    if (part !== undefined) origins?.noteBlock(block, part)
    return part ?? []
  })
  if (userParts.length === 0) return results
  return [...results, { role: 'user', content: isBare(content, origins) ? contentOfParts(userParts) : userParts }]
}

/** True when the content may become a bare text: no other field has to be written back. */
function isBare(content: unknown, origins?: AnthropicOrigins): boolean {
  return origins === undefined || typeof content === 'string'
}

function isResult(block: Fields): boolean {
  return block.type === 'tool_result'
}

/** The result of a call, from its block. */
function resultPart(
  block: Fields,
  nameOf: (id: string) => string,
  unknown: (block: Fields) => TextPart,
): ToolResultPart {
  const toolCallId = String(block.tool_use_id ?? '')
  const contents = contentBlocks(block.content).map((inner) => resultContent(inner) ?? unknown(inner))
  return {
    type: 'tool-result',
    toolCallId,
    toolName: nameOf(toolCallId),
    output: outputOf(contents, block.is_error === true),
  }
}

function reasoning(value: string, anthropic: Record<string, string | undefined>): AssistantPart {
  const signed = Object.values(anthropic).some((field) => field !== undefined)
  return { type: 'reasoning', text: value, ...(signed ? { providerOptions: { anthropic } } : {}) }
}

function ranByProvider(block: Fields): ToolResultPart {
  const toolName = String(block.type).replace(/_tool_result$/, '')
  const output = { type: 'json', value: block.content ?? null } as ToolResultOutput
  return { type: 'tool-result', toolCallId: String(block.tool_use_id ?? ''), toolName, output }
}

function userPart(block: Fields): UserPart | undefined {
  if (block.type === 'text')
    return text(block.text) === undefined ? undefined : { type: 'text', text: String(block.text) }
  if (isCompaction(block)) return compaction(block)
  const source = sourceIn(block)
  if (source === undefined) return undefined
  if (block.type === 'image') return imagePart(source)
  if (block.type !== 'document') return undefined
  const data = source.kind === 'data' ? source.data : source.url
  return { type: 'file', data, mediaType: source.mediaType ?? 'application/pdf' }
}

function resultContent(block: Fields): ToolResultContent | undefined {
  const source = block.type === 'image' || block.type === 'document' ? sourceIn(block) : undefined
  if (source !== undefined) return resultFile(source)
  return typeof block.text === 'string' ? { type: 'text', text: block.text } : undefined
}

function unnamed(block: Fields): TextPart {
  return { type: 'text', text: `[${String(block.type)}]` }
}

function sourceIn(block: Fields): DataSource | undefined {
  const source = fields(block.source)
  if (source?.type === 'url') return { kind: 'url', url: String(source.url ?? '') }
  if (source?.type !== 'base64' && source?.type !== 'text') return undefined
  const mediaType = text(source.media_type) ?? (source.type === 'text' ? 'text/plain' : 'image/png')
  return { kind: 'data', data: String(source.data ?? ''), mediaType }
}
