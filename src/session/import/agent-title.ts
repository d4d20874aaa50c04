import { typedText } from '../../engine/extract/text/machine-text.ts'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import { type Message, partsOf } from '../../model/types.ts'
import { isGreeting, shortTitle } from '../session-title.ts'

/** The title of an agent's session: its own, or the beginning of the first text that the user typed. */
export function agentTitle({ title, entries }: Pick<DecodedSession, 'title' | 'entries'>): string | undefined {
  return title ?? firstWords(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))
}

/**
 * The beginning of the first words that the user typed. A greeting, or a text that is only a block in tags, counts if there is
 * nothing else.
 */
export function firstWords(messages: readonly Message[]): string | undefined {
  const words = firstRealWords(messages)
  if (words !== undefined) return words
  for (const typed of typedTexts(messages)) if (shortTitle(inBlock(typed)) !== '') return shortTitle(inBlock(typed))
  return undefined
}

/** The same without greetings and without texts that are only a block in tags. */
export function firstRealWords(messages: readonly Message[]): string | undefined {
  for (const typed of typedTexts(messages)) {
    const words = afterBlocks(typed)
    if (beginsWithWords(words) && !isGreeting(words)) return shortTitle(words)
  }
  return undefined
}

function* typedTexts(messages: readonly Message[]): Iterable<string> {
  for (const message of messages) {
    for (const part of message.role === 'user' ? partsOf(message) : [])
      if (part.type === 'text') yield typedText(part.text).trim()
  }
}

/** True when the first line has more than tags: a person may write `<div> is not centred`. */
function beginsWithWords(text: string): boolean {
  const [line = ''] = text.split('\n', 1)
  return line.replace(/<[^<>]*>/g, '').trim() !== ''
}

/** The text after the blocks in tags at its beginning: programs and scripts put them before a person's words. */
function afterBlocks(text: string): string {
  let rest = text
  for (let block = blockOf(text); block !== undefined; block = blockOf(rest)) {
    rest = rest.slice(block.length).trimStart()
  }
  return rest
}

function inBlock(text: string): string {
  return blockOf(text)?.inner ?? text
}

function blockOf(text: string): { readonly length: number; readonly inner: string } | undefined {
  const [opening, name] = /^<([\w:-]+)[^<>]{0,200}>/.exec(text) ?? []
  if (opening === undefined) return undefined
  const close = `</${name}>`
  const end = text.indexOf(close, opening.length)
  if (end === -1) return undefined
  const [inner, length] = [text.slice(opening.length, end), end + close.length]
  // If text follows on the same line, a person wrote the tags: `<div>hello</div> is not centred`.
  const isInLine = !inner.includes('\n') && /^[^\S\n]*[^\s<]/.test(text.slice(length))
  return isInLine ? undefined : { length, inner }
}
