import { eventReader } from '../../contract/event-reader.ts'
import { type Fields, fields, objects, parsed, text, wholeNumber } from '../../formats/shared/json.ts'
import type { JsonValue, ToolSchema, Usage } from '../../model/types.ts'
import type { FaceAnswer } from './face.ts'

type Counts = {
  /** All of the input, cache reads and writes included. */
  readonly input: unknown
  /** All of the output, reasoning included. */
  readonly output: unknown
  readonly cacheRead?: unknown
  readonly cacheWrite?: unknown
  /** The part of it that stays for an hour. */
  readonly cacheWriteHour?: unknown
  readonly reasoning?: unknown
}

/** The provider's count. Undefined if it reports none: a request of 0 input tokens does not exist. */
export function reportedUsage({
  input,
  output,
  cacheRead,
  cacheWrite,
  cacheWriteHour,
  reasoning,
}: Counts): Usage | undefined {
  const inputTokens = wholeNumber(input) ?? 0
  if (inputTokens === 0) return undefined
  return {
    inputTokens,
    outputTokens: wholeNumber(output) ?? 0,
    cacheReadTokens: wholeNumber(cacheRead) || undefined,
    cacheWriteTokens: wholeNumber(cacheWrite) || undefined,
    cacheWriteHourTokens: wholeNumber(cacheWriteHour) || undefined,
    reasoningTokens: wholeNumber(reasoning) || undefined,
  }
}

/** The provider's explanation of a cache miss. Undefined if it has none: it could not compare, or sent something else. */
export function reportedMiss(reason: unknown, tokens: unknown): FaceAnswer['cacheMiss'] {
  const word = text(reason) ?? text(fields(reason)?.type)
  if (word === undefined || !/^\w{1,60}$/.test(word) || NO_REASONS.test(word)) return undefined
  return { reason: word, tokens: wholeNumber(tokens) }
}

const NO_REASONS = /^(?:unavailable|\w*not_found)$/

/** The JSON objects of a response: the data of its events, the elements of its list, or the one object that it is. */
export function responseObjects(text: string): Fields[] {
  const start = text.trimStart().charAt(0)
  if (start === '{' || start === '[') {
    const document = parsed(text)
    return Array.isArray(document) ? objects(document) : [fields(document) ?? {}]
  }
  // The empty line completes the last event of a stream that does not end with one.
  return objects(eventReader()(`${text}\n\n`).map(({ data }) => parsed(data)))
}

/** The texts of a provider's blocks as one; undefined when they have none. */
export function joinedTexts(blocks: readonly Fields[]): string | undefined {
  return text(blocks.flatMap((block) => text(block.text) ?? []).join('\n'))
}

/** Declarations of tools; `schemaKey` is the member in which a provider puts the schema of the arguments. */
export function declaredTools(tools: readonly Fields[], schemaKey: string): ToolSchema[] {
  return tools.flatMap((tool) => {
    const name = text(tool.name) ?? text(tool.type) ?? 'unknown'
    // Codex declares the tools of a server together, in a namespace.
    if (tool.type === 'namespace')
      return declaredTools(objects(tool.tools), schemaKey).map((own) => ({ ...own, name: `${name}/${own.name}` }))
    // The model does not see the definition of such a tool before it has searched for it.
    if (tool.defer_loading === true) return [{ name }]
    const inputSchema = (tool[schemaKey] ?? tool.format) as JsonValue | undefined
    return [{ name, description: text(tool.description), inputSchema }]
  })
}
