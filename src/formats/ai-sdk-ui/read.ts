import type {
  AssistantPart,
  Message,
  Part,
  ProviderOptions,
  ToolPart,
  ToolResultOutput,
  ToolResultPart,
  UserPart,
} from '../../model/types.ts'
import { imagePart, sourceOfUrl, textOutput } from '../shared/content-parts.ts'
import { type Fields, fields, objects, text, type WithMore } from '../shared/json.ts'
import { listReader } from '../shared/message-list.ts'
import { Origins } from '../shared/origins.ts'

/**
 * Messages of the AI SDK's user interface (`UIMessage`) as ours: each step with its calls, then their results. `toUIMessages`
 * returns unchanged messages as the original objects. Data and sources are for the screen: they are kept, but not counted.
 */
export function fromUIMessages(messages: readonly UIMessageInput[]): Message[] {
  return messages.flatMap((item) => {
    const read = messagesOf(item, (block, part) => uiOrigins.noteBlock(block, part))
    const kept = read.length > 0 ? read : [forTheScreen(item)]
    uiOrigins.noteItem(item, kept)
    return kept
  })
}

/** The messages that were read from lists of UI messages. */
export const uiOrigins = new Origins<WrittenUIMessage>()

/** Reads a list of the AI SDK's UI messages. */
export const readUIMessages = listReader((messages) => objects(messages).map((item) => messagesOf(item)))

/** True for a part that has content for a model. */
export function isRead(part: object, role: string): boolean {
  const block = fields(part) ?? {}
  return role === 'assistant' ? assistantParts(block).length > 0 : userPart(block) !== undefined
}

/** A message without content for a model still needs a place in the list. */
function forTheScreen({ role, parts }: UIMessageInput): Message {
  const kinds = objects(parts).flatMap(({ type }) => (type === 'text' || type === 'reasoning' ? [] : [`[${type}]`]))
  return { role: role === 'assistant' ? role : 'user', content: kinds.join(' ') }
}

type NoteBlock = (block: object, part: Part) => void

function messagesOf(message: Fields, note: NoteBlock = () => {}): Message[] {
  const blocks = objects(message.parts)
  if (message.role === 'system') return [{ role: 'system', content: wordsOf(blocks) }]
  if (message.role === 'assistant') return stepsOf(blocks).flatMap((step) => stepMessages(step, note))
  if (message.role !== 'user') return []
  const content = blocks.flatMap((block) => {
    const part = userPart(block)
    if (part !== undefined) note(block, part)
    return part ?? []
  })
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

function wordsOf(blocks: readonly Fields[]): string {
  return blocks.flatMap((block) => text(block.text) ?? []).join('\n')
}

function userPart(block: Fields): UserPart | undefined {
  if (block.type === 'text')
    return text(block.text) === undefined ? undefined : { type: 'text', text: String(block.text), ...optionsOf(block) }
  return filePart(block)
}

function filePart(block: Fields): UserPart | undefined {
  const url = block.type === 'file' ? text(block.url) : undefined
  if (url === undefined) return undefined
  const mediaType = text(block.mediaType) ?? 'application/octet-stream'
  const source = { ...sourceOfUrl(url), mediaType }
  if (mediaType.startsWith('image/')) return imagePart(source)
  const name = text(block.filename) === undefined ? {} : { filename: String(block.filename) }
  return { type: 'file', data: source.kind === 'data' ? source.data : source.url, mediaType, ...name }
}

function stepsOf(blocks: readonly Fields[]): Fields[][] {
  const steps: Fields[][] = [[]]
  for (const block of blocks) {
    if (block.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(block)
  }
  return steps.filter((step) => step.length > 0)
}

function stepMessages(step: readonly Fields[], note: NoteBlock): Message[] {
  const noted = <P extends Part>(block: Fields, parts: readonly P[]) => {
    for (const part of parts) note(block, part)
    return parts
  }
  const content = step.flatMap((block) => noted(block, assistantParts(block)))
  const results = step.flatMap((block) => noted(block, toolParts(block)))
  return [
    ...(content.length === 0 ? [] : [{ role: 'assistant' as const, content }]),
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
  ]
}

function assistantParts(block: Fields): AssistantPart[] {
  const words = text(block.text)
  if (block.type === 'text') return words === undefined ? [] : [{ type: 'text', text: words, ...optionsOf(block) }]
  if (block.type === 'reasoning')
    return words === undefined && optionsOf(block).providerOptions === undefined
      ? []
      : [{ type: 'reasoning', text: words ?? '', ...optionsOf(block) }]
  if (!isTool(block)) return []
  const call = { type: 'tool-call' as const, ...named(block), input: block.input ?? {} }
  if (block.providerExecuted === true) return [{ ...call, providerExecuted: true }, ...resultsOf(block)]
  const approvalId = text(fields(block.approval)?.id)
  if (approvalId === undefined) return [call]
  return [call, { type: 'tool-approval-request', approvalId, toolCallId: call.toolCallId }]
}

/** The answers to a call: the user's reply to a permission question, and its result. */
function toolParts(block: Fields): ToolPart[] {
  if (!isTool(block) || block.providerExecuted === true) return []
  const approval = fields(block.approval)
  const { id, approved, reason } = approval ?? {}
  const why = text(reason) === undefined ? {} : { reason: String(reason) }
  const response: ToolPart[] =
    typeof approved === 'boolean' ? [{ type: 'tool-approval-response', approvalId: String(id), approved, ...why }] : []
  return [...response, ...resultsOf(block)]
}

function resultsOf(block: Fields): ToolResultPart[] {
  const output = outputOfPart(block)
  return output === undefined ? [] : [{ type: 'tool-result', ...named(block), output }]
}

function optionsOf(block: Fields): { providerOptions?: ProviderOptions } {
  const providerOptions = fields(block.providerMetadata) as ProviderOptions | undefined
  return providerOptions === undefined ? {} : { providerOptions }
}

function isTool(block: Fields): boolean {
  return block.type === 'dynamic-tool' || String(block.type).startsWith('tool-')
}

function named(block: Fields): { toolCallId: string; toolName: string } {
  return {
    toolCallId: String(block.toolCallId ?? ''),
    toolName: text(block.toolName) ?? String(block.type).replace(/^tool-/, ''),
  }
}

function outputOfPart(block: Fields): ToolResultOutput | undefined {
  if (block.state === 'output-error') return textOutput(text(block.errorText) ?? 'The tool failed.', true)
  if (block.state === 'output-denied') return { type: 'execution-denied' }
  if (block.state !== 'output-available') return undefined
  return typeof block.output === 'string'
    ? textOutput(block.output)
    : ({ type: 'json', value: block.output ?? null } as ToolResultOutput)
}

/**
 * The part of the AI SDK's `UIMessage` that we read and write. We accept its lists, and it accepts the messages that we write,
 * without a cast.
 */

/** A message as it comes, with parts of any kind. */
export type UIMessageInput = WithMore<{ readonly role: string; readonly parts: readonly object[] }>

type ProviderMetadata = Record<string, Record<string, JsonValue>>
type JsonValue = null | string | number | boolean | { [key: string]: JsonValue | undefined } | JsonValue[]

type ToolState =
  | { state: 'input-available'; input: unknown }
  | { state: 'output-available'; input: unknown; output: unknown }
  | { state: 'output-error'; input: unknown; errorText: string }

export type WrittenUIPart =
  | { type: 'text'; text: string; providerMetadata?: ProviderMetadata }
  | { type: 'reasoning'; text: string; providerMetadata?: ProviderMetadata }
  | { type: 'file'; mediaType: string; url: string; filename?: string }
  | { type: 'step-start' }
  | ({ type: 'dynamic-tool'; toolName: string; toolCallId: string; providerExecuted?: boolean } & ToolState)

/** A message of the AI SDK's user interface. One that came from it may hold parts of other kinds, too. */
export type WrittenUIMessage = { id: string; role: 'system' | 'user' | 'assistant'; parts: WrittenUIPart[] }
