import type { Message } from '../../src/engine.ts'
import type { Seq } from '../../src/model/types.ts'
import type { MeasuredLog } from '../../src/study/replay/measured-log.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import { stringsIn } from './references.ts'

/** A change to a file that names the text it replaces: an agent that does not see that text has to read it again first. */
export type Edit = {
  /** Lines of the text that was replaced; all of them had been seen before. */
  readonly lines: readonly string[]
  /** The message that showed them last, which would have to be read again, and its tokens. */
  readonly shownBy: Message
  readonly tokens: number
}

/** The edits of each answer of a session, by its entry. */
export function editsIn({ messages, estimator }: MeasuredLog): ReadonlyMap<Seq, readonly Edit[]> {
  const found = new Map<Seq, Edit[]>()
  for (const [index, { seq, message }] of messages.entries()) {
    const edits = replacedBy(message).flatMap((lines): Edit[] => {
      const places = lines.map((line) => messages.findLastIndex((one, at) => at < index && shows(one.message, line)))
      if (places.includes(-1)) return []
      const shown = messages[Math.max(...places)]
      if (shown === undefined) return []
      return [{ lines, shownBy: shown.message, tokens: messageTokens(shown.message, estimator) }]
    })
    if (edits.length > 0) found.set(seq, edits)
  }
  return found
}

/** True when the text is in the message: in its words, the arguments of its calls or its results. */
export function shows(message: Message, text: string): boolean {
  return textOf(message).includes(text)
}

/** The longest lines of each text that the calls of an answer replace. */
function replacedBy(message: Message): string[][] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  const calls = message.content.filter((part) => part.type === 'tool-call')
  return calls
    .flatMap(({ input }) => [...oldTexts(input), ...patchedTexts(input)])
    .map((text) => longestLines(text))
    .filter(({ length }) => length > 0)
}

/** `old_string`, `oldText`, `old_str`, at any depth of the arguments. */
function oldTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (/^old/i.test(key) ? [inner] : []) : oldTexts(inner),
  )
}

/** The lines that a patch takes out. */
function patchedTexts(value: unknown): string[] {
  return stringsIn(value)
    .filter((text) => text.includes('*** Update File: '))
    .map((text) =>
      text
        .split('\n')
        .filter((line) => /^-(?!-- )/.test(line))
        .map((line) => line.slice(1))
        .join('\n'),
    )
}

const MOST_LINES = 2
const SHORTEST_LINE = 12

function longestLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter(({ length }) => length >= SHORTEST_LINE)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_LINES)
}

const remembered = new WeakMap<Message, string>()

function textOf(message: Message): string {
  const known = remembered.get(message)
  if (known !== undefined) return known
  const text = typeof message.content === 'string' ? message.content : stringsIn(message.content).join('\n')
  remembered.set(message, text)
  return text
}
