import { withoutEscapes } from './without-escapes.ts'

/**
 * The head and the tail of a text with a note between them, cut at a line end if that costs at most this share of them.
 * A surrogate pair is never split, and the result is never longer than the text.
 */
export function shorten(
  text: string,
  head: number,
  tail: number,
  note: (cut: number) => string,
  lineShare = 0.2,
): string {
  if (text.length <= head + tail) return text
  const headEnd = lineEndBefore(text, head, lineShare)
  const tailStart = Math.max(headEnd, lineStartAfter(text, text.length - tail, lineShare))
  const short = `${text.slice(0, headEnd)}${note(tailStart - headEnd)}${text.slice(tailStart)}`
  return short.length < text.length ? short : text
}

/** The first characters of a text, not ending in half a surrogate pair. */
export function headOf(text: string, length: number): string {
  return text.slice(0, safe(text, length))
}

function lineEndBefore(text: string, index: number, share: number): number {
  const newline = text.lastIndexOf('\n', index - 1)
  return newline + 1 >= index * (1 - share) ? newline + 1 : safe(text, index)
}

function lineStartAfter(text: string, index: number, share: number): number {
  const newline = text.indexOf('\n', index)
  const room = text.length - index
  return newline !== -1 && newline + 1 <= index + room * share ? newline + 1 : safe(text, index)
}

/** One less if the index would be between the halves of a surrogate pair. */
function safe(text: string, index: number): number {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? index - 1 : index
}

/** A text on one line of at most `characters`. If it is cut, it ends with a whole word, because half a name would be a wrong one. */
export function clip(text: string, characters: number): string {
  const line = oneLine(text, characters)
  if (!line.endsWith('…')) return line
  const end = line.search(/\s\S*…$/)
  return end > characters * 0.6 ? `${line.slice(0, end).replace(/[\s,;:–-]+$/, '')} …` : line
}

/** The characters of a text's head and tail. */
export type Extent = { readonly head: number; readonly tail: number }

/** The head and tail of a text, in whole words, with a note between them: how much is missing and how to get it. */
export function excerpt(text: string, { head, tail }: Extent, where: string): string {
  if (text.length <= head + tail) return text
  const headEnd = wordEnd(text, head)
  const tailStart = tail === 0 ? text.length : Math.max(headEnd, wordStart(text, text.length - tail))
  const cut = tailStart - headEnd
  const note =
    tail === 0
      ? ` [… ${cut} more characters, recall ${where}]`
      : `\n[… ${cut} characters left out, recall ${where} …]\n`
  const short = text.slice(0, headEnd) + note + text.slice(tailStart)
  return short.length < text.length ? short : text
}

/** Half a name is a name that nobody said: a cut moves to the end of its word, unless that is farther than this. */
const FAR = 80

function wordEnd(text: string, from: number): number {
  const next = text.slice(from, from + FAR).search(/\s/)
  return next === -1 ? headOf(text, from).length : from + next
}

function wordStart(text: string, from: number): number {
  const next = text.slice(from, from + FAR).search(/\s/)
  return next === -1 ? headOf(text, from).length : from + next + 1
}

/** A text on one line of at most `characters`, without colours, with `…` if it was cut. Only the part that may be shown is read. */
export function oneLine(text: string, characters: number): string {
  // Nearly all texts are one line already.
  if (text.length <= characters && isPlainLine(text)) return text
  const line = withoutEscapes(headOf(text, characters * 4 + 400))
    .replace(SPACE, ' ')
    .trim()
  if (line.length <= characters && text.length <= characters * 4 + 400) return line
  return `${headOf(line, characters).trimEnd()}…`
}

/** True for printable ASCII with single spaces inside. A bracket among words may begin a colour. Patterns take five times as long. */
function isPlainLine(text: string): boolean {
  let before = SPACE_CODE
  let hasSpace = false
  let hasBracket = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === SPACE_CODE) {
      if (before === SPACE_CODE) return false
      hasSpace = true
    } else if (code < SPACE_CODE || code > LAST_PRINTABLE) return false
    else if (code === BRACKET_CODE) hasBracket = true
    before = code
  }
  return text === '' || (before !== SPACE_CODE && !(hasSpace && hasBracket))
}

const SPACE_CODE = 0x20
const BRACKET_CODE = 0x5b
const LAST_PRINTABLE = 0x7e
const SPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g
