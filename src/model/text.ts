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
  // A text that was cut to this length is not cut again.
  if (text.length <= characters + 1 && text.endsWith('…') && oneLine(text, characters + 1) === text) return text
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

/** A text without the escape sequences of terminals: colours and cursor moves, titles and links, single escapes. Takes linear time. */
export function withoutEscapes(text: string): string {
  const clean = text.includes('\u001b') ? text.replace(ESCAPES, '') : text
  return clean.includes('[') ? clean.replace(LOST_ESCAPES, '') : clean
}

/** A colour whose escape character was lost: `[1mMissing[22m`. A duration in brackets, `[5m]`, does not count. */
const LOST_ESCAPES = /\[\d{1,3}(?:;\d{1,3}){0,4}m(?!\])/g

const ESCAPES = /\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)?|[@-Z\\^_]|)/g

/** This much of a message is enough to distinguish it from all others. */
const BEGINNING_CHARACTERS = 60

/** The beginning of a message in the form in which it is searched: case, spaces and the form of quotation marks do not count. */
export function beginning(text: string): string {
  return quotable(text).slice(0, BEGINNING_CHARACTERS)
}

/** A text in the form in which beginnings of messages are searched. */
export function quotable(text: string): string {
  return text
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .toLowerCase()
    .trim()
}

const TAG = 'attached_file'

/** A file that the user attached to a message, as the model reads it. The words of the user end before it. */
export function attachedFile(path: string, content: string): string {
  return `<${TAG}>\n${unclosing(path).replaceAll('\n', '␤')}\n${unclosing(content)}\n</${TAG}>`
}

/** A note of ours to the model in the user's role. It is not a part of the user's words. */
export function programNote(text: string): string {
  return `${NOTE_START}\n${text}\n</system-reminder>`
}

const NOTE_START = '<system-reminder>'

/** True for such a note. */
export function isProgramNote(text: string): boolean {
  return text.startsWith(`${NOTE_START}\n`)
}

function unclosing(text: string): string {
  return text.replaceAll(`${TAG}>`, `${TAG} >`)
}

/** The path in such a text; undefined for any other text. */
export function attachedPath(text: string): string | undefined {
  return text.startsWith(`<${TAG}>\n`) ? text.split('\n', 2)[1] : undefined
}

/** A text without characters that move the cursor, set colours or change the direction, except line ends and tabs: each is replaced by its code. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeOf)
}

/** A value as JSON that is safe on a terminal, too. Its strings stay the same: it only escapes more characters than `JSON.stringify` does. */
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(UNPRINTABLE, escapeOf)
}

/** Control characters (C0, DEL, C1), and the marks that turn or isolate the direction of a text. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/gu

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A word of a shell's command line, quoted if necessary. The user's home (`~/`) stays outside the quotes. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(word)) return word
  return word.startsWith('~/') ? `~/${quotedWord(word.slice(2))}` : quotedWord(word)
}

/** A word in quotes, which a shell does not change. */
export function quotedWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** A time as `2026-11-15 21:24`, in UTC, so that a log looks the same everywhere. Empty for an unknown time. */
export function dateTime(at: number | undefined): string {
  if (at === undefined || !(at > 0 && at <= LAST_TIME)) return ''
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** The last time with a year of four digits. */
const LAST_TIME = Date.UTC(9999, 11, 31)

/** The handle of an entry: `recall` takes it to find messages that the view does not show. */
export function handle(seq: number): string {
  return `#${seq}`
}

/** The handles of many entries in a short form: `#3, #7-#12`. */
export function handleRanges(seqs: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range !== undefined && seq === range[1] + 1) range[1] = seq
    else ranges.push([seq, seq])
  }
  return ranges.map(([first, last]) => (first === last ? handle(first) : `${handle(first)}-${handle(last)}`)).join(', ')
}

let segmenter: Intl.Segmenter | undefined

/** The characters of a text as a reader counts them. The segmenter is created on first use, because that takes 20 ms and most programs need none. */
export function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** How a report about a command in the background begins. It is stored as a message without words of the user. */
export const JOB_REPORT = '[Background command'

/** How the message to the model begins after the user restored files. It is stored without words of the user, too. */
export const FILES_SET_BACK = '[The user set files back to how they were before '
