import {
  type AssistantPart,
  callsOf,
  type Message,
  type ToolResultContent,
  type ToolResultOutput,
  type ToolResultPart,
  type UserPart,
} from '../../model/message.ts'
import { contentOfParts } from '../shared/content-of-parts.ts'
import { type DataSource, imagePart, resultFile } from '../shared/file-data.ts'
import { type Fields, fields, objects, text } from '../shared/json.ts'
import { listReader } from '../shared/message-list.ts'
import { outputOf } from '../shared/result-output.ts'

/** Messages of the Anthropic API as ours: each tool result is a message, reasoning keeps its signature. */
export function fromAnthropic(messages: readonly unknown[]): Message[] {
  return objects(messages).flatMap(anthropicReader())
}

/** Reads the messages of a conversation one by one: a result gets its tool's name from the call before it. */
export function anthropicReader(): (message: Fields) => Message[] {
  const names = new Map<string, string>()
  const nameOf = (id: string) => names.get(id) ?? 'unknown'
  return (message) => {
    if (message.role !== 'assistant') return userMessages(message.content, nameOf)
    const content = assistantParts(message.content)
    if (content.length === 0) return []
    const said: Message = { role: 'assistant', content }
    for (const call of callsOf(said)) names.set(call.toolCallId, call.toolName)
    return [said]
  }
}

/** Reads messages of the Anthropic API, alone or in a request. */
export const readAnthropic = listReader(fromAnthropic)

/** The blocks of a content, which may be a bare text. */
export function contentBlocks(content: unknown): Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
}

/** The parts of an assistant's content. Reasoning keeps its signature, or it would be refused. */
export function assistantParts(content: unknown): AssistantPart[] {
  return contentBlocks(content).flatMap((block): AssistantPart[] => {
    switch (block.type) {
      case 'text':
        return text(block.text) === undefined ? [] : [{ type: 'text', text: String(block.text) }]
      case 'thinking':
        return [reasoning(String(block.thinking ?? ''), { signature: text(block.signature) })]
      case 'redacted_thinking':
        return [reasoning('', { redactedData: text(block.data) })]
      case 'tool_use':
        return [call(block)]
      case 'server_tool_use':
        return [{ ...call(block), providerExecuted: true }]
      default:
        return String(block.type).endsWith('_tool_result') ? [ranByProvider(block)] : []
    }
  })
}

/** A user's content as messages: tool results first, each a message of its own, then what was said. */
export function userMessages(content: unknown, nameOf: (id: string) => string): Message[] {
  const blocks = contentBlocks(content)
  const results = blocks.filter((block) => block.type === 'tool_result').map((block) => resultPart(block, nameOf))
  const said = blocks.map(userPart).filter((part) => part !== undefined)
  return [
    ...results.map((result): Message => ({ role: 'tool', content: [result] })),
    ...(said.length === 0 ? [] : [{ role: 'user' as const, content: contentOfParts(said) }]),
  ]
}

/** The result of a call, from its block. */
function resultPart(block: Fields, nameOf: (id: string) => string): ToolResultPart {
  const toolCallId = String(block.tool_use_id ?? '')
  const contents = contentBlocks(block.content).map(resultContent)
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

function call(block: Fields): Extract<AssistantPart, { type: 'tool-call' }> {
  return {
    type: 'tool-call',
    toolCallId: String(block.id ?? ''),
    toolName: String(block.name ?? ''),
    input: block.input ?? {},
  }
}

function ranByProvider(block: Fields): ToolResultPart {
  const toolName = String(block.type).replace(/_tool_result$/, '')
  const output = { type: 'json', value: block.content ?? null } as ToolResultOutput
  return { type: 'tool-result', toolCallId: String(block.tool_use_id ?? ''), toolName, output }
}

function userPart(block: Fields): UserPart | undefined {
  if (block.type === 'text')
    return text(block.text) === undefined ? undefined : { type: 'text', text: String(block.text) }
  const source = sourceIn(block)
  if (source === undefined) return undefined
  if (block.type === 'image') return imagePart(source)
  if (block.type !== 'document') return undefined
  const data = source.kind === 'data' ? source.data : source.url
  return { type: 'file', data, mediaType: source.mediaType ?? 'application/pdf' }
}

function resultContent(block: Fields): ToolResultContent {
  const source = block.type === 'image' || block.type === 'document' ? sourceIn(block) : undefined
  if (source !== undefined) return resultFile(source)
  return { type: 'text', text: typeof block.text === 'string' ? block.text : `[${String(block.type)}]` }
}

function sourceIn(block: Fields): DataSource | undefined {
  const source = fields(block.source)
  if (source?.type === 'url') return { kind: 'url', url: String(source.url ?? '') }
  if (source?.type !== 'base64' && source?.type !== 'text') return undefined
  const mediaType = text(source.media_type) ?? (source.type === 'text' ? 'text/plain' : 'image/png')
  return { kind: 'data', data: String(source.data ?? ''), mediaType }
}
