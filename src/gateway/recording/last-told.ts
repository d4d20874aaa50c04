import { typedText } from '../../engine/extract/text/machine-text.ts'
import { type Message, outputText, partsOf, textOf } from '../../model/message/message.ts'
import type { Item } from '../../model/view.ts'

/** The place of the last item whose words a client has told in a text; undefined when it told none of them. */
export function lastTold(items: readonly Item[], told: string): number | undefined {
  return items.findLast(({ kind, message }) => kind === 'message' && isTold(message, told))?.place
}

/** The different words of these items that a client has told, and whether those are all. Agents say some again and again. */
export function toldWords(
  items: readonly Item[],
  { said }: ToldText,
): { readonly words: ReadonlySet<string>; readonly isAll: boolean } {
  const all = new Set(items.flatMap(({ kind, message }) => (kind === 'message' ? wordsOf(message) : [])))
  const words = new Set([...all].filter((each) => said.has(each)))
  return { words, isAll: words.size === all.size }
}

/**
 * Whether a client has told this message in a text as what the user said; the prompt of a sub-agent stands in a call.
 * opencode tells all texts of a message as one. A provider may have got several messages as one.
 */
export function isAsked({ kind, message }: Item, { asked }: ToldText): boolean {
  if (kind !== 'message' || message.role !== 'user') return false
  const texts = [textOf(message), ...partsOf(message).map((part) => (part.type === 'text' ? part.text : ''))]
  return texts
    .filter((text) => typedText(text) !== '')
    .flatMap(wordsIn)
    .some((words) => asked.some((each) => each.startsWith(words)))
}

/** Whether this is a record that a client has told in a text, as the summary of what was before. */
export function isToldRecord({ kind, message }: Item, { text }: ToldText): boolean {
  const record = kind === 'summary' ? textOf(message).trim() : ''
  return record !== '' && text.includes(record)
}

function isTold(message: Message, told: string): boolean {
  return wordsOf(message).some((words) => told.includes(words))
}

function wordsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) =>
    wordsIn(part.type === 'text' ? part.text : part.type === 'tool-result' ? outputText(part.output) : ''),
  )
}

function wordsIn(said: string): string[] {
  const words = said.trim().slice(0, TOLD_CHARACTERS)
  return words.length >= LEAST_CHARACTERS ? [words] : []
}

/** Shorter words, such as "Done.", are said more than once. */
const LEAST_CHARACTERS = 12

/** A conversation that a client tells as one text, and what is said in it, each as far as it decides. */
type ToldText = {
  readonly text: string
  /** What stands in it as the user's. */
  readonly asked: readonly string[]
  /** What anybody says in it. A text of megabytes is searched once and not for each message of many sessions. */
  readonly said: ReadonlySet<string>
}

/** Clients shorten results, so the beginning of what was said decides. */
const TOLD_CHARACTERS = 200

export function readTold(text: string): ToldText {
  // What stands before the first label is no message; behind it labels and words take turns.
  const [, ...parts] = text.split(LABEL)
  const words = parts.map((part = '') => part.trim().slice(0, TOLD_CHARACTERS))
  return {
    text,
    asked: words.filter((_, i) => i % 2 === 1 && words[i - 1] === 'User'),
    said: new Set(words.filter((_, i) => i % 2 === 1)),
  }
}

/** How pi and opencode say who speaks, and where the conversation ends. */
const LABEL = /^(?:\[((?:User|Assistant|Tool)[^\]\n]*)\]: |<\/conversation>)/m
