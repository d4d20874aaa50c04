import { typedText } from '../../engine/extract/text/machine-text.ts'
import { type Item, type Message, outputText, partsOf, textOf } from '../../model/types.ts'

/** The place of the last item that a transcript quotes; undefined when it quotes none of them. */
export function lastQuoted(items: readonly Item[], transcript: string): number | undefined {
  return items.findLast(({ kind, message }) => kind === 'message' && isQuoted(message, transcript))?.place
}

/** The distinct texts of these items that a transcript quotes, and whether those are all. Agents repeat some texts many times. */
export function quotedTexts(
  items: readonly Item[],
  { quotes }: Transcript,
): { readonly texts: ReadonlySet<string>; readonly isAll: boolean } {
  const all = new Set(items.flatMap(({ kind, message }) => (kind === 'message' ? beginningsOf(message) : [])))
  const texts = new Set([...all].filter((each) => quotes.has(each)))
  return { texts, isAll: texts.size === all.size }
}

/**
 * True if a transcript quotes this message as the user's. The prompt of a sub-agent is quoted in a call, so it does not count.
 * opencode quotes all texts of a message as one. A provider may have got several messages as one.
 */
export function isQuotedPrompt({ kind, message }: Item, { prompts }: Transcript): boolean {
  if (kind !== 'message' || message.role !== 'user') return false
  const texts = [textOf(message), ...partsOf(message).map((part) => (part.type === 'text' ? part.text : ''))]
  return texts
    .filter((text) => typedText(text) !== '')
    .flatMap(beginningIn)
    .some((beginning) => prompts.some((each) => each.startsWith(beginning)))
}

/** True for a record that a transcript quotes as its earlier summary. */
export function isQuotedRecord({ kind, message }: Item, { text }: Transcript): boolean {
  const record = kind === 'summary' ? textOf(message).trim() : ''
  return record !== '' && text.includes(record)
}

function isQuoted(message: Message, transcript: string): boolean {
  return beginningsOf(message).some((beginning) => transcript.includes(beginning))
}

function beginningsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) =>
    beginningIn(part.type === 'text' ? part.text : part.type === 'tool-result' ? outputText(part.output) : ''),
  )
}

function beginningIn(text: string): string[] {
  const beginning = text.trim().slice(0, COMPARED_CHARACTERS)
  return beginning.length >= LEAST_CHARACTERS ? [beginning] : []
}

/** Shorter texts, such as "Done.", appear more than once. */
const LEAST_CHARACTERS = 12

/** A conversation that a client quotes as one text, with the beginning of each message in it. */
type Transcript = {
  readonly text: string
  /** The messages that it quotes as the user's. */
  readonly prompts: readonly string[]
  /** All messages that it quotes. A set, because searching megabytes for each message of many sessions would be slow. */
  readonly quotes: ReadonlySet<string>
}

/** Clients shorten results, so only the beginnings of texts are compared. */
const COMPARED_CHARACTERS = 200

export function readTranscript(text: string): Transcript {
  // The text before the first label is not a message. After it, labels and texts take turns.
  const [, ...parts] = text.split(LABEL)
  const pieces = parts.map((part = '') => part.trim().slice(0, COMPARED_CHARACTERS))
  return {
    text,
    prompts: pieces.filter((_, i) => i % 2 === 1 && pieces[i - 1] === 'User'),
    quotes: new Set(pieces.filter((_, i) => i % 2 === 1)),
  }
}

/** The labels with which pi and opencode name the speaker, and the end of the conversation. */
const LABEL = /^(?:\[((?:User|Assistant|Tool)[^\]\n]*)\]: |<\/conversation>)/m
