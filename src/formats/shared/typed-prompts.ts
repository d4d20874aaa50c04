import { typedText } from '../../engine/extract/text/machine-text.ts'
import type { Entry } from '../../model/entry.ts'
import { type Message, partsOf } from '../../model/message/message.ts'
import type { Fields } from './json.ts'

/** A prompt that a person typed, as the file has it. Lines count from 1; in a document it is the number of the message. */
export type TypedPrompt = {
  readonly line: number
  readonly text: string
  /** It stood in a queue first, and may come again as a message. */
  readonly isQueued?: true
}

/**
 * Counts the prompts that a person typed, from the raw content and not on the way that reads it: it is the check that none was
 * lost on that way.
 */
export type PromptCounter = {
  readonly line?: (line: Fields, number: number) => void
  readonly document?: (document: unknown) => void
  /** All of them, without those that were taken back. */
  readonly prompts: () => readonly TypedPrompt[]
}

/** How many prompts were typed, and which are not in the log: on branches that were left, or lost. */
export type PromptCheck = {
  readonly typed: number
  readonly left: readonly TypedPrompt[]
  readonly missing: readonly TypedPrompt[]
}

/** A counter that looks at each line, or at each message of a document, by itself. */
export function promptCounter(
  wordsIn: (line: Fields) => readonly string[],
  messagesIn?: (document: unknown) => readonly Fields[],
): PromptCounter {
  const prompts: TypedPrompt[] = []
  const line = (value: Fields, number: number) => {
    for (const text of wordsIn(value)) if (typedText(text) !== '') prompts.push({ line: number, text })
  }
  const document = (value: unknown) => {
    for (const [i, message] of (messagesIn?.(value) ?? []).entries()) line(message, i + 1)
  }
  return { line, document, prompts: () => prompts }
}

/** Looks for the prompts among what the user says in the log. `left` are the lines of branches that were left. */
export function checkPrompts(
  prompts: readonly TypedPrompt[],
  entries: readonly Entry[],
  left: ReadonlySet<number>,
): PromptCheck {
  const said = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' ? textsOf(entry.message).map(typedText) : [],
  )
  const isSaid = lookup(said)
  const leftPrompts = prompts.filter(({ line }) => left.has(line))
  const leftWords = new Set(leftPrompts.map(({ text }) => plain(text)))
  const absent = prompts.filter((prompt) => !left.has(prompt.line) && !isSaid(prompt))
  return {
    typed: prompts.length,
    left: leftPrompts.map(clipped),
    // A prompt that left the queue as a message went with that message.
    missing: absent.filter(({ text, isQueued }) => isQueued !== true || !leftWords.has(plain(text))).map(clipped),
  }
}

/** The texts of a message, each by itself: programs put theirs beside what was typed. */
function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Whether a prompt is among messages. Each message is one prompt, or several that were queued; programs may add to its text. */
function lookup(said: readonly string[]): (prompt: TypedPrompt) => boolean {
  const texts = said.map(plain)
  const open = new Map<string, number>()
  for (const text of texts) open.set(text, (open.get(text) ?? 0) + 1)
  const lines = new Set(said.flatMap((text) => text.split('\n').map(plain)))
  let searches = MOST_SEARCHES
  const isInside = (words: string) => searches-- > 0 && texts.some((told) => told.includes(words))
  return ({ text, isQueued }) => {
    const words = plain(typedText(text))
    const times = open.get(words) ?? 0
    if (isQueued === true) return times > 0 || lines.has(words) || isInside(words)
    if (times > 0) open.set(words, times - 1)
    return times > 0 || (words.length >= LONG_WORDS && isInside(words))
  }
}

/** Searches through all messages; a file that needs more of them has lost its prompts anyway. */
const MOST_SEARCHES = 1_000

/** Shorter words, such as "go on", stand in many messages. */
const LONG_WORDS = 20

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function clipped({ line, text }: TypedPrompt): TypedPrompt {
  return { line, text: text.slice(0, 200) }
}
