import { oneLine } from '../../model/text.ts'
import { FLAGGED, RECORD_CLOSING, RECORD_OPENING, USER_FRAME, USER_OPENING } from './prompts/record-texts.ts'
import { FACT_TITLES, INSTRUCTION_WORDS, ROLE_WORDS } from './sections/section-titles.ts'

/**
 * A text of foreign origin for a record: what a user typed or pasted, a file's name, a command, an error. None of its lines
 * can begin a section, a handle or the frame: it gets a backslash if it would, as in Markdown.
 */
export function escaped(text: string): string {
  return withoutForgeries(text, FORGERY)
}

/** A summary for its record: its own sections stay, but no line poses as one of the program's, as a quotation or as the frame. */
export function escapedSummary(text: string): string {
  return withoutForgeries(text, SUMMARY_FORGERY)
}

/** A file's path on one line, for a line that `escaped` sees whole. A line end in it is shown as `␤`: git checks out such names. */
export function pathLine(path: string): string {
  return oneLine(HAS_CONTROL.test(path) ? path.replace(CONTROL, shown) : path, LONGEST_PATH)
}

const LONGEST_PATH = 400
const HAS_CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const CONTROL = new RegExp(HAS_CONTROL, 'g')

/** The picture that Unicode has for a control character. */
function shown(control: string): string {
  const code = control.charCodeAt(0)
  return code === 0x0a || code > 0x1f ? '␤' : String.fromCharCode(0x2400 + code)
}

/** A text of ours with foreign words in its lines: only our own line ends stay. */
export function withOwnLines(text: string): string {
  return HAS_LINE_END.test(text) ? text.replace(LINE_ENDS, ' ') : text
}

/** All that a reader may take for the end of a line. */
const LINE_ENDS = /\r\n?|[\v\f\u001c-\u001e\u0085\u2028\u2029]/g
const HAS_LINE_END = /[\r\v\f\u001c-\u001e\u0085\u2028\u2029]/

function withoutForgeries(text: string, forgery: RegExp): string {
  const lines = HAS_LINE_END.test(text) ? text.replace(LINE_ENDS, '\n') : text
  return mayForge(lines) ? lines.replace(forgery, '$<lead>\\') : lines
}

/** False for nearly all texts: behind its marks each line begins with an ASCII character that begins no forgery. */
function mayForge(text: string): boolean {
  for (let at = 0; at !== -1 && at < text.length; ) {
    let code = text.charCodeAt(at)
    while (code < 0x7f && MARKS.has(code)) code = text.charCodeAt(++at)
    if (code >= 0x7f || BEGINNINGS.has(code)) return true
    const end = text.indexOf('\n', at)
    at = end === -1 ? -1 : end + 1
  }
  return false
}

/** Spaces, characters that nobody sees, and the marks of lists, quotations and emphasis: a line begins after them. */
const MARK = String.raw`(?:[>*+_~|\p{Cf}\u0000-\u0008\u000e-\u001f\u007f-\u009f\x2d]|[^\S\n])`
const LEAD = `^(?<lead>${MARK}*)`
const HANDLE = String.raw`[#＃]\p{Cf}*\d`
const HEADING = String.raw`[#＃](?![\p{L}!#])|[#＃]{2}`
/** Titles that speak for somebody pose as a section even without the mark of a heading. */
const VOICES = ['The user said', 'System instructions', INSTRUCTION_WORDS, ROLE_WORDS]
const VOICE = `[#＃]*(?:${VOICES.join('|')})`
const SENTENCES = [RECORD_OPENING(1), RECORD_CLOSING, USER_FRAME, USER_OPENING, FLAGGED].map((sentence) =>
  sentence.slice(0, 21),
)
const FRAME = ['</?record', String.raw`\[(?:Conversation|End) Summary`, ...SENTENCES].join('|')

/** The ASCII characters that are marks, and those that a handle, a heading, a voice or the frame begins with. */
const MARKS = codesOf((character) => new RegExp(`^${MARK}$`, 'u').test(character))
const FIRST_CHARACTERS = ['#', '<', '[', ...[...VOICES, ...SENTENCES].map((text) => text.charAt(0).toLowerCase())]
const BEGINNINGS = codesOf((character) => FIRST_CHARACTERS.includes(character.toLowerCase()))

function codesOf(isOne: (character: string) => boolean): ReadonlySet<number> {
  const codes = Array.from({ length: 0x7f }, (_, code) => code)
  return new Set(codes.filter((code) => isOne(String.fromCharCode(code))))
}

const FORGERY = forgeryOf(HANDLE, HEADING, VOICE, FRAME)
const FACT_HEADING = String.raw`[#＃]+${MARK}*(?:${FACT_TITLES.join('|')})\b`
const SUMMARY_FORGERY = forgeryOf(`(?<!- )${HANDLE}`, FACT_HEADING, VOICE, FRAME)

function forgeryOf(...beginnings: readonly string[]): RegExp {
  return new RegExp(`${LEAD}(?=${beginnings.join('|')})`, 'gimu')
}

/** A text between two marks that it cannot close: the marks are derived from the text until it does not contain them. */
export function enclose(name: string, text: string): string {
  let mark = `${name}-${hash(text)}`
  while (text.includes(mark)) mark = `${name}-${hash(mark + text)}`
  return `<${mark}>\n${text}\n</${mark}>`
}

/** Of a longer text the mark is derived from so many of its characters: what it guards is that the text has no such mark. */
const MOST_HASHED = 65_536

/** FNV-1a, twice with different seeds: the same text always has the same mark. */
function hash(text: string): string {
  let a = 0x811c9dc5 ^ (text.length > MOST_HASHED ? text.length : 0)
  let b = 0x9747b28c
  const step = Math.ceil(text.length / MOST_HASHED)
  for (let i = 0; i < text.length; i += step) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
  }
  return ((a >>> 0).toString(16) + (b >>> 0).toString(16)).slice(0, 12)
}
