import { isNativeCompaction } from '../../model/items.ts'
import {
  type AssistantMessage,
  type AssistantPart,
  type FilePart,
  type ImagePart,
  type Message,
  outputText,
  type Part,
  partsOf,
  resultsOf,
  type TextPart,
  type ToolCallPart,
  type ToolResultContent,
  type ToolResultPart,
} from '../../model/types.ts'
import { contentsOf, isFailure, sourceOf } from '../shared/content-parts.ts'
import { fields, text } from '../shared/json.ts'
import { listWriter } from '../shared/message-list.ts'
import {
  type AnthropicBlock,
  type AnthropicDocument,
  type AnthropicImage,
  type AnthropicMessage,
  type AnthropicResult,
  type AnthropicText,
  anthropicOrigins,
  imageType,
} from './read.ts'

/**
 * Our messages for the Anthropic API. Messages from `fromAnthropic` that nobody has changed are returned as the original objects.
 * The others are written as the API wants them: user and assistant in turn, and all results of a step in one message.
 */
export function toAnthropic(messages: readonly Message[]): { system?: string; messages: AnthropicMessage[] } {
  const system: string[] = []
  const made = new TurnList()
  for (const stretch of anthropicOrigins.stretchesOf(messages)) {
    if ('item' in stretch) made.came(stretch.item)
    else if (stretch.message.role === 'system') system.push(stretch.message.content)
    else made.write(stretch.message.role === 'assistant' ? 'assistant' : 'user', blocksFor(stretch.message))
  }
  return { system: system.length === 0 ? undefined : system.join('\n\n'), messages: made.messages }
}

/** Writes the messages that would be sent as a request of the Anthropic API has them. */
export const writeAnthropic = listWriter(toAnthropic)

/** A list of messages in which a written message never follows another one of its role. */
class TurnList {
  readonly messages: AnthropicMessage[] = []
  #lastCame = false

  /** Original messages may follow each other in one role, because the API accepted them that way. */
  came(item: AnthropicMessage): void {
    const last = this.messages.at(-1)
    if (!this.#lastCame && last?.role === item.role) this.#join(last, blocksIn(item))
    else this.messages.push(item)
    this.#lastCame = true
  }

  write(role: AnthropicMessage['role'], blocks: readonly AnthropicBlock[]): void {
    const last = this.messages.at(-1)
    if (blocks.length === 0) return
    if (last?.role === role) this.#join(last, blocks)
    else this.messages.push({ role, content: [...blocks] })
    this.#lastCame = false
  }

  /** Makes a new object, because an original message belongs to the caller. */
  #join(last: AnthropicMessage, blocks: readonly AnthropicBlock[]): void {
    this.messages[this.messages.length - 1] = { ...last, content: [...blocksIn(last), ...blocks] }
  }
}

function blocksIn({ content }: AnthropicMessage): readonly AnthropicBlock[] {
  return typeof content === 'string' ? [textBlock(content)] : content
}

/** The blocks of an assistant's message; unsigned reasoning is left out. `ranByProvider` writes the calls and results of tools that the provider ran. */
export function assistantBlocks<Block = never>(
  message: AssistantMessage,
  ranByProvider: (part: ToolCallPart | ToolResultPart) => AnthropicBlock | Block,
): (AnthropicBlock | Block)[] {
  return (partsOf(message) as readonly AssistantPart[]).flatMap((part): (AnthropicBlock | Block)[] => {
    const came = anthropicOrigins.blockOf<AnthropicBlock>(part)
    if (came !== undefined) return [came]
    switch (part.type) {
      case 'text':
        return [isNativeCompaction(part) ? compactionBlock(part) : textBlock(part.text)]
      case 'reasoning': {
        const { signature, redactedData } = part.providerOptions?.anthropic ?? {}
        if (typeof redactedData === 'string' && redactedData !== '')
          return [{ type: 'redacted_thinking', data: redactedData }]
        return typeof signature === 'string' && signature !== ''
          ? [{ type: 'thinking', thinking: part.text, signature }]
          : []
      }
      case 'tool-call':
        return [part.providerExecuted === true ? ranByProvider(part) : callBlock(part)]
      case 'tool-result':
        return [ranByProvider(part)]
      default:
        return []
    }
  })
}

/** The block of a tool's result. */
export function resultBlock(part: ToolResultPart): AnthropicResult {
  const came = anthropicOrigins.blockOf<AnthropicResult>(part)
  if (came !== undefined) return came
  const { toolCallId, output } = part
  const contents = contentsOf(output)
  const [only] = contents
  const content = contents.length === 1 && only?.type === 'text' ? only.text : contents.map(mediaBlock)
  return {
    type: 'tool_result',
    tool_use_id: anthropicId(toolCallId),
    content,
    ...(isFailure(output) ? { is_error: true } : {}),
  }
}

/** The blocks of a user's message. */
export function userBlocks(message: Message): AnthropicBlock[] {
  return partsOf(message).flatMap((part): AnthropicBlock[] => {
    const came = anthropicOrigins.blockOf<AnthropicBlock>(part)
    if (came !== undefined) return [came]
    if (part.type === 'text') return [isNativeCompaction(part) ? compactionBlock(part) : textBlock(part.text)]
    return part.type === 'image' || part.type === 'file' ? [mediaBlock(part)] : []
  })
}

/** The API's own summary, with every field that it wants back verbatim. Only the beta types of the SDK have it. */
function compactionBlock({ text: content, providerOptions }: TextPart): AnthropicBlock {
  const { signature, encryptedContent, toolChanges } = providerOptions?.anthropic ?? {}
  return {
    type: 'compaction',
    content,
    ...(signature === undefined ? {} : { signature }),
    ...(encryptedContent === undefined ? {} : { encrypted_content: encryptedContent }),
    ...(toolChanges === undefined ? {} : { tool_changes: toolChanges }),
  } as unknown as AnthropicBlock
}

/** The block of a call. */
export function callBlock({ toolCallId, toolName, input }: ToolCallPart) {
  return {
    type: 'tool_use' as const,
    id: anthropicId(toolCallId),
    name: toolName.replaceAll(/[^\w-]/g, '_').slice(0, 128),
    // The API accepts only objects.
    input: fields(input) ?? { input },
  }
}

/** An id that the API accepts; those of other providers may have other characters. */
export function anthropicId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_')
}

function blocksFor(message: Message): AnthropicBlock[] {
  if (message.role === 'assistant') return assistantBlocks(message, ranElsewhere)
  if (message.role !== 'tool') return userBlocks(message)
  return resultsOf(message).map(resultBlock)
}

/** A result as text: the API accepts only results of its own tools, and another provider's results have another form. */
function ranElsewhere(part: ToolCallPart | ToolResultPart): AnthropicText {
  const words = part.type === 'tool-call' ? JSON.stringify(part.input) : outputText(part.output)
  return textBlock(`[${part.toolName}] ${words}`)
}

function mediaBlock(
  part: Extract<Part, { type: 'text' }> | ImagePart | FilePart | ToolResultContent,
): AnthropicText | AnthropicImage | AnthropicDocument {
  if (part.type === 'text') return textBlock(part.text)
  const source = sourceOf(part)
  if (source === undefined) return textBlock(`[${part.type}]`)
  const { mediaType = 'image/png' } = source
  if (source.kind === 'url') {
    return { type: mediaType.startsWith('image/') ? 'image' : 'document', source: { type: 'url', url: source.url } }
  }
  const { data } = source
  const image = imageType(mediaType)
  if (image !== undefined) return { type: 'image', source: { type: 'base64', media_type: image, data } }
  if (mediaType === 'text/plain') return { type: 'document', source: { type: 'text', media_type: mediaType, data } }
  if (mediaType !== 'application/pdf') return textBlock(`[${text(mediaType) ?? part.type}]`)
  return { type: 'document', source: { type: 'base64', media_type: mediaType, data } }
}

function textBlock(words: string): AnthropicText {
  return { type: 'text', text: words }
}
