import { withoutEscapes } from '../../../model/text.ts'
import { callsOf, type Item, outputText, resultsOf, textOf } from '../../../model/types.ts'

/** A name as in code, a path, an address, or a value: words with a capital, a mark or a digit inside. */
export const NAME = /https?:\/\/[^\s"'`<>)\]]+|[\w@~./-]{4,}\w/g
const IS_NAME = /[a-z][A-Z]|\w[_./]\w|\d|^https?:/

/** The names in a text. */
export function writtenNames(text: string): string[] {
  return (text.match(NAME) ?? []).filter((word) => IS_NAME.test(word))
}

/** More of one text is not read: its handle leads to the rest. */
export const LOOKED_AT = 40_000

/** The names that the agent wrote in a message, in words and in calls, or that the results in it show. Each once. */
export function namesIn({ kind, message }: Item): readonly string[] {
  if (kind !== 'message' || (message.role !== 'assistant' && message.role !== 'tool')) return []
  const texts =
    message.role === 'tool'
      ? resultsOf(message).map(({ output }) => outputText(output))
      : [textOf(message), ...callsOf(message).flatMap(({ input }) => stringsIn(input))]
  return [...new Set(texts.flatMap((text) => writtenNames(withoutEscapes(text.slice(0, LOOKED_AT)))))]
}

/** Arguments may be nested deeply or contain a cycle; the useful ones are near the top. */
const DEEPEST = 4

function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1))
}
