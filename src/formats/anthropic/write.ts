import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  ImagePart,
  Message,
  ToolResultContent,
  ToolResultOutput,
  ToolResultPart,
} from '../../model/message.ts'
import { partsOf } from '../../model/message.ts'
import { sourceOf } from '../shared/file-data.ts'
import { fields, text } from '../shared/json.ts'
import { listWriter } from '../shared/message-list.ts'
import { contentsOf, isFailure } from '../shared/result-output.ts'

/** A content block of the Anthropic API; only `type` is certain. */
export type AnthropicBlock = { readonly type: string; readonly [key: string]: unknown }

/** A message of the Anthropic API. */
export type AnthropicMessage = { role: 'user' | 'assistant'; content: string | AnthropicBlock[] }

/** Our messages for the Anthropic API, which wants user and assistant in turn, and all results of a step in one message. */
export function toAnthropic(messages: readonly Message[]): { system?: string; messages: AnthropicMessage[] } {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const made: { role: 'user' | 'assistant'; content: AnthropicBlock[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = blocksFor(message)
    const last = made.at(-1)
    if (blocks.length === 0) continue
    if (last?.role === role) last.content.push(...blocks)
    else made.push({ role, content: blocks })
  }
  return { system: system.length === 0 ? undefined : system.join('\n\n'), messages: made }
}

/** Writes the messages that would be sent as a request of the Anthropic API has them. */
export const writeAnthropic = listWriter(toAnthropic)

/** The blocks of an assistant's message; reasoning that nobody signed is left out. */
export function assistantBlocks(message: AssistantMessage): AnthropicBlock[] {
  return (partsOf(message) as readonly AssistantPart[]).flatMap((part): AnthropicBlock[] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }]
      case 'reasoning': {
        const { signature, redactedData } = part.providerOptions?.anthropic ?? {}
        if (text(redactedData) !== undefined) return [{ type: 'redacted_thinking', data: redactedData }]
        return text(signature) === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }]
      }
      case 'tool-call':
        return [
          {
            type: part.providerExecuted === true ? 'server_tool_use' : 'tool_use',
            id: anthropicId(part.toolCallId),
            name: part.toolName.replaceAll(/[^\w-]/g, '_').slice(0, 128),
            // The API takes objects only.
            input: fields(part.input) ?? { input: part.input },
          },
        ]
      case 'tool-result':
        return [
          {
            type: `${part.toolName}_tool_result`,
            tool_use_id: anthropicId(part.toolCallId),
            content: rawValue(part.output),
          },
        ]
      default:
        return []
    }
  })
}

/** The block of a tool's result. */
export function resultBlock({ toolCallId, output }: ToolResultPart): AnthropicBlock {
  const contents = contentsOf(output)
  const [only] = contents
  const content =
    contents.length === 1 && only?.type === 'text'
      ? only.text
      : contents.map((part) => mediaBlock(part) ?? textBlock(part))
  return {
    type: 'tool_result',
    tool_use_id: anthropicId(toolCallId),
    content,
    ...(isFailure(output) ? { is_error: true } : {}),
  }
}

/** The blocks of what a user said. */
export function userBlocks(message: Message): AnthropicBlock[] {
  return partsOf(message).flatMap((part): AnthropicBlock[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'image' && part.type !== 'file') return []
    return [mediaBlock(part) ?? { type: 'text', text: `[${part.type}]` }]
  })
}

function blocksFor(message: Message): AnthropicBlock[] {
  if (message.role === 'assistant') return assistantBlocks(message)
  if (message.role !== 'tool') return userBlocks(message)
  return message.content.filter((part): part is ToolResultPart => part.type === 'tool-result').map(resultBlock)
}

/** Ids that the API takes; those of other providers may hold other characters. */
function anthropicId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_')
}

function rawValue(output: ToolResultOutput): unknown {
  return output.type === 'json' || output.type === 'error-json' ? output.value : contentsOf(output)
}

function mediaBlock(part: ImagePart | FilePart | ToolResultContent): AnthropicBlock | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const source = sourceOf(part)
  if (source === undefined) return undefined
  const type = (source.mediaType ?? 'image/').startsWith('image/') ? 'image' : 'document'
  if (source.kind === 'url') return { type, source: { type: 'url', url: source.url } }
  const kind = source.mediaType === 'text/plain' ? 'text' : 'base64'
  return { type, source: { type: kind, media_type: source.mediaType, data: source.data } }
}

function textBlock(part: ToolResultContent): AnthropicBlock {
  return { type: 'text', text: `[${part.type}]` }
}
