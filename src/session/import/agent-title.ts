import { typedText } from '../../engine/extract/text/machine-text.ts'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import { type Message, partsOf } from '../../model/message/message.ts'
import { isGreeting, shortTitle } from '../session-title.ts'

/** The title of an agent's session: its own, or the beginning of what the user typed first. */
export function agentTitle({ title, entries }: Pick<DecodedSession, 'title' | 'entries'>): string | undefined {
  return title ?? firstWords(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))
}

/**
 * The beginning of the first words of the user that no program wrote. A greeting, or what stands in tags alone, counts when
 * there is nothing else.
 */
export function firstWords(messages: readonly Message[]): string | undefined {
  const words = firstRealWords(messages)
  if (words !== undefined) return words
  for (const typed of typedTexts(messages)) if (shortTitle(inBlock(typed)) !== '') return shortTitle(inBlock(typed))
  return undefined
}

/** The same, but no greeting, and nothing that stands in tags alone. */
export function firstRealWords(messages: readonly Message[]): string | undefined {
  for (const typed of typedTexts(messages)) {
    const behind = behindBlocks(typed)
    if (beginsWithWords(behind) && !isGreeting(behind)) return shortTitle(behind)
  }
  return undefined
}

function* typedTexts(messages: readonly Message[]): Iterable<string> {
  for (const message of messages) {
    for (const part of message.role === 'user' ? partsOf(message) : [])
      if (part.type === 'text') yield typedText(part.text).trim()
  }
}

/** True when the first line has more than tags: `<div> is not centred` is what a person says. */
function beginsWithWords(text: string): boolean {
  const [line = ''] = text.split('\n', 1)
  return line.replace(/<[^<>]*>/g, '').trim() !== ''
}

/** The text behind the blocks in tags that it begins with: programs and scripts put them before what a person says. */
function behindBlocks(text: string): string {
  let behind = text
  for (let block = blockOf(text); block !== undefined; block = blockOf(behind)) {
    behind = behind.slice(block.length).trimStart()
  }
  return behind
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
  // Of a tag in the middle of a line a person speaks: `<div>hello</div> is not centred`.
  const isInLine = !inner.includes('\n') && /^[^\S\n]*[^\s<]/.test(text.slice(length))
  return isInLine ? undefined : { length, inner }
}
