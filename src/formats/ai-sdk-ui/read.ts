import type {
  AssistantPart,
  Message,
  ProviderOptions,
  ToolResultOutput,
  ToolResultPart,
  UserPart,
} from '../../model/message.ts'
import { imagePart, sourceOfUrl } from '../shared/file-data.ts'
import { type Fields, fields, objects, text } from '../shared/json.ts'
import { listReader } from '../shared/message-list.ts'
import { textOutput } from '../shared/result-output.ts'

/** Messages of the AI SDK's user interface (`UIMessage`) as ours: each step with its calls, then their results. */
export function fromUIMessages(messages: readonly unknown[]): Message[] {
  return objects(messages).flatMap((message): Message[] => {
    const parts = objects(message.parts)
    if (message.role === 'system') return [{ role: 'system', content: wordsOf(parts) }]
    if (message.role === 'user') return [{ role: 'user', content: parts.flatMap(userPart) }]
    return message.role === 'assistant' ? stepsOf(parts).flatMap(stepMessages) : []
  })
}

/** Reads a list of the AI SDK's UI messages. */
export const readUIMessages = listReader(fromUIMessages)

function wordsOf(parts: readonly Fields[]): string {
  return parts.flatMap((part) => text(part.text) ?? []).join('\n')
}

function userPart(part: Fields): UserPart[] {
  if (part.type === 'text') return text(part.text) === undefined ? [] : [{ type: 'text', text: String(part.text) }]
  const url = part.type === 'file' ? text(part.url) : undefined
  if (url === undefined) return []
  const mediaType = text(part.mediaType) ?? 'application/octet-stream'
  const source = { ...sourceOfUrl(url), mediaType }
  if (mediaType.startsWith('image/')) return [imagePart(source)]
  return [{ type: 'file', data: source.kind === 'data' ? source.data : source.url, mediaType }]
}

function stepsOf(parts: readonly Fields[]): Fields[][] {
  const steps: Fields[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps.filter((step) => step.length > 0)
}

function stepMessages(step: readonly Fields[]): Message[] {
  const content = step.flatMap(assistantPart)
  const results = step.flatMap((part): ToolResultPart[] => {
    const output = outputOfPart(part)
    return output === undefined ? [] : [{ type: 'tool-result', ...named(part), output }]
  })
  return [
    ...(content.length === 0 ? [] : [{ role: 'assistant' as const, content }]),
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
  ]
}

function assistantPart(part: Fields): AssistantPart[] {
  const words = text(part.text)
  if (part.type === 'text') return words === undefined ? [] : [{ type: 'text', text: words }]
  if (part.type === 'reasoning')
    return words === undefined ? [] : [{ type: 'reasoning', text: words, providerOptions: providerOptionsOf(part) }]
  return isTool(part) ? [{ type: 'tool-call', ...named(part), input: part.input ?? {} }] : []
}

function providerOptionsOf(part: Fields): ProviderOptions | undefined {
  return fields(part.providerMetadata) as ProviderOptions | undefined
}

function isTool(part: Fields): boolean {
  return part.type === 'dynamic-tool' || String(part.type).startsWith('tool-')
}

function named(part: Fields): { toolCallId: string; toolName: string } {
  return {
    toolCallId: String(part.toolCallId ?? ''),
    toolName: text(part.toolName) ?? String(part.type).replace(/^tool-/, ''),
  }
}

function outputOfPart(part: Fields): ToolResultOutput | undefined {
  if (!isTool(part)) return undefined
  if (part.state === 'output-error') return textOutput(text(part.errorText) ?? 'The tool failed.', true)
  if (part.state === 'output-denied') return { type: 'execution-denied' }
  if (part.state !== 'output-available') return undefined
  return typeof part.output === 'string'
    ? textOutput(part.output)
    : ({ type: 'json', value: part.output ?? null } as ToolResultOutput)
}
