import { withoutEscapes } from '../../../model/text.ts'

/** No more of one output: its handle leads to the rest. */
const MOST_LINES = 3
/** A line whose form occurs more often is one of a list or of a pattern, and does not stand out. */
const MOST_ALIKE = 3
const LOOKED_AT = 40_000
const [SHORTEST, LONGEST] = [6, 160]

/**
 * The few lines of a tool's output that state a value which a later reader may need to the letter: a setting, or a sentence
 * with a number, a version, an error code or an address. They are quotations: a part of the line, without spaces and marks of
 * comments around it. Lines of a common form do not count.
 */
export function factLinesIn(output: string): string[] {
  const quoted = QUOTED.exec(output.slice(-QUOTED_CHARACTERS))?.[1]
  if (quoted !== undefined) return quoted.split(BETWEEN)
  const texts: string[] = []
  const stated: { readonly text: string; readonly weight: number }[] = []
  for (const line of withoutEscapes(output.slice(0, LOOKED_AT)).split('\n')) {
    if (line.length > LONGEST * 2 || !MAY_STATE.test(line)) continue
    const printed = withoutMarksAfter(line.replace(BEFORE, ''))
    // In files that a tool prints, the only number of most lines was that of the line.
    if (!MAY_STATE.test(printed)) continue
    const text = printed.replace(/\s{2,}|[^\S ]/g, ' ')
    const weight = weightOf(text)
    texts.push(text)
    if (weight > 0) stated.push({ text, weight })
  }
  if (stated.length === 0) return []
  const alike = new Map<string, number>()
  for (const form of texts.map(formOf)) alike.set(form, (alike.get(form) ?? 0) + 1)
  const rare = stated.filter(({ text }) => (alike.get(formOf(text)) ?? 0) <= MOST_ALIKE)
  const best = new Set(rare.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_LINES))
  return [...new Set(rare.filter((one) => best.has(one)).map(({ text }) => text))]
}

/** Lines at the end of the note that replaces masked output, so that a later record has them too. */
export function quotedLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `; lines in it: ‘${lines.join(BETWEEN)}’`
}

const BETWEEN = '’ ‘'
const QUOTED = /\[masked to save context: \d+ characters[^‘’\n]*; lines in it: ‘([^\n]{1,1000})’\]$/
const QUOTED_CHARACTERS = 2_200

/**
 * The number of the line, as tools that print files and matches add it, after the path of a match; then spaces and marks of lists and
 * comments.
 */
const BEFORE = /^(?:(?:[\w./@-]{1,160}[:-](?=\d{1,6}[:-]))?\s*\d{1,6}(?:[:|→\t]|-(?=\s)))?[\s/*#>+|•-]*/

/** All lines that state something have one of these; nearly all others are left out here. */
const MAY_STATE = /\d|\bE[A-Z]{2}|:\/\//

/** Without spaces, stars and the end of a comment. A pattern would try every space of an indented table again. */
function withoutMarksAfter(line: string): string {
  const text = line.trimEnd()
  const mark = text.endsWith('*/') ? 2 : text.endsWith('-->') ? 3 : 0
  let rest = text.slice(0, text.length - mark).trimEnd()
  while (rest.endsWith('*')) rest = rest.slice(0, -1).trimEnd()
  return rest
}

/**
 * A line with one letter for each word and each path, one digit for each number and one mark for each quotation: all lines of
 * a list have the same form. It is read character by character, because patterns take three times as long for thousands of lines.
 */
function formOf(text: string): string {
  let form = ''
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    const kind = kindAt(text, at++)
    const closing = kind === QUOTE ? text.indexOf(character, at) : -1
    if (closing >= 0) at = closing + 1
    const goesOn = GOES_ON[kind] ?? 0
    while (at < text.length && (goesOn & kindAt(text, at)) !== 0) at++
    form += closing >= 0 ? '"' : (SHORT[kind] ?? character)
  }
  return form.replace(/a(?:[./-]+a)+/g, 'a')
}

const [LETTER, DIGIT, POINT, SPACE, QUOTE, MARK] = [1, 2, 4, 8, 16, 32]
/** The kinds that continue a word, a number or a gap. */
const GOES_ON: Readonly<Record<number, number>> = { [LETTER]: LETTER | DIGIT, [DIGIT]: DIGIT | POINT, [SPACE]: SPACE }
const SHORT: Readonly<Record<number, string>> = { [LETTER]: 'a', [DIGIT]: '0', [SPACE]: ' ' }

const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\w$]/.test(character)) return /\d/.test(character) ? DIGIT : LETTER
  if (/\s/.test(character)) return SPACE
  return /["'`]/.test(character) ? QUOTE : /[.,]/.test(character) ? POINT : MARK
})

/** All characters outside ASCII count as letters. */
function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] ?? LETTER
}

/** How likely a line is needed again; 0 if it states nothing. */
function weightOf(text: string): number {
  if (text.length < SHORTEST || text.length > LONGEST) return 0
  if (!QUOTABLE.test(text) || UNQUOTABLE.test(text)) return 0
  const value = SETTING.exec(text)?.[1]
  if (value !== undefined && LITERAL.test(value)) {
    if (/\d{2}/.test(value)) return EXACT.test(text) ? 4 : 3
    // A 0 or a 1 is mostly where something begins to count.
    return /[2-9]/.test(value) ? 1 : 0
  }
  if (CODE.test(text) || !NUMBER.test(text)) return 0
  const words = text.split(' ').filter((word) => WORD.test(word)).length
  return words < 2 ? 0 : EXACT.test(text) ? 3 : 2
}

const WORD = /^["'`(]?\p{L}[\p{L}'-]+["'`).,;:]{0,3}$/u

/** A bracket at the beginning may be a mark of ours or a label in a record. */
const QUOTABLE = /^[\p{L}\p{N}_"'`$]/u
const UNQUOTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029‘’]/
/** Codes of Unix, by their beginnings: other words of capitals are keywords of SQL and the like. */
const ERRNO = String.raw`\bE(?:ACCES|ADDR|AGAIN|BUSY|CONN|EXIST|HOST|INVAL|IO|ISDIR|MFILE|NET|NO[A-Z]|PERM|PIPE|TIMEDOUT)[A-Z]*\b`
const CODED = String.raw`${ERRNO}|\b[A-Z]{1,8}-?\d{3,6}\b|\bhttps?:\/\/`
/** A number of three digits, a version, an error code, an address. */
const EXACT = new RegExp(String.raw`(?<![\w.])\d[\d.,_]*\d{2}(?!\w)|\d\.\d+\.\d|${CODED}`)
/** A number by itself, not a part of a name. */
const NUMBER = new RegExp(String.raw`(?<![\w$])\d[\d.,_:]*\d|${CODED}`)
const SETTING =
  /^(?:(?:export|const|let|var|static|final|readonly|public|private|pub|val|set|env|ENV|ARG) )*["'`]?[\w.$-]{2,60}["'`]?(?: ?: ?[\w<>| ]{1,30}(?= =))? ?(?::=|=|:) ?(.{1,120}?)[,;]?$/
/** A value, not an expression. */
const LITERAL =
  /^(?:["'`][^"'`]{1,100}["'`]|[-+]?\d[\w.,:%/+ -]{0,60}|v?\d+\.\d[\w.-]*|true|false|[\w.-]*\d[\w.:/-]*|https?:\/\/\S+)(?: (?:\/\/|#) .*)?$/
const CODE = /[{};]$|=>|\w\(.*\)|^(?:import|return|if|for|while|case|function|class|export|const|let|var)\b/
