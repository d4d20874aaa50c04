import { eventReader } from '../../contract/event-reader.ts'
import { type Fields, fields, objects, parsed, wholeNumber } from '../../formats/shared/json.ts'
import type { Usage } from '../../model/types.ts'

type Counts = {
  /** All of the input, cache reads and writes included. */
  readonly input: unknown
  /** All of the output, reasoning included. */
  readonly output: unknown
  readonly cacheRead?: unknown
  readonly cacheWrite?: unknown
  readonly reasoning?: unknown
}

/** The provider's count. Undefined if it reports none: a request of 0 input tokens does not exist. */
export function reportedUsage({ input, output, cacheRead, cacheWrite, reasoning }: Counts): Usage | undefined {
  const inputTokens = wholeNumber(input) ?? 0
  if (inputTokens === 0) return undefined
  return {
    inputTokens,
    outputTokens: wholeNumber(output) ?? 0,
    cacheReadTokens: wholeNumber(cacheRead) || undefined,
    cacheWriteTokens: wholeNumber(cacheWrite) || undefined,
    reasoningTokens: wholeNumber(reasoning) || undefined,
  }
}

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
