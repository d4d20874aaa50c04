import { oneLine } from '../../../model/text.ts'

/**
 * The user's own words in a message, whole and in order. A long block that is clearly not theirs (code, JSON, a log, a
 * trace, a diff, the output of a terminal) becomes one line at its place: its size, its first line and where to find it.
 * A line that may be the user's is never part of a block. Takes linear time.
 */
export function ownWords(text: string, where: string): string {
  if (text.length < LEAST_PASTED) return text.trim()
  const blocks = blocksOf(text.replace(/\r\n?/g, '\n').split('\n'))
  const isOwn = ({ lines, pasted }: Block) => !pasted && lines.some((line) => line.trim() !== '')
  // If the whole message is a paste, the paste is what the user said.
  if (!blocks.some(({ pasted }) => pasted) || !blocks.some(isOwn)) return text.trim()
  const parts = blocks.map(({ lines, pasted }) => (pasted ? pastedLine(lines, where) : lines.join('\n')))
  return parts.join('\n').trim()
}

/** The line that replaces a shorter block would cost almost as much. */
const LEAST_PASTED = 280

type Block = { readonly lines: readonly string[]; readonly pasted: boolean }

function pastedLine(lines: readonly string[], where: string): string {
  const full = lines.filter((line) => line.trim() !== '' && !FENCE.test(line))
  const characters = lines.join('\n').length.toLocaleString('en-US')
  const counted = full.length === 1 ? '' : `${full.length} lines, `
  const [first = ''] = full
  // A bracket alone does not show what the block is.
  const shown = /[\p{L}\d]/u.test(first) ? first : full.slice(0, 4).join(' ')
  return `[pasted: ${counted}${characters} characters, “${oneLine(shown, 80)}”, recall ${where}]`
}

const FENCE = /^\s*(`{3,}|~{3,})\s*([^`]*)$/

/** Runs of lines that are the user's, and blocks that are not: each fenced block for itself, and each run of other foreign lines. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: { lines: string[]; pasted: boolean }[] = []
  const unclosed = new Set<string>()
  let run: Run = { lines: [], end: 0 }
  const add = (some: readonly string[], pasted: boolean) => {
    const last = blocks.at(-1)
    if (last?.pasted === false && !pasted) last.lines.push(...some)
    else if (some.length > 0) blocks.push({ lines: [...some], pasted })
  }
  const close = () => {
    const foreign = run.lines.slice(0, run.end)
    add(foreign, isLong(foreign))
    add(run.lines.slice(run.end), false)
    run = { lines: [], end: 0 }
  }
  for (let i = 0; i < lines.length; i++) {
    const fenceEnd = closingFence(lines, i, unclosed)
    const end = fenceEnd ?? hunkEnd(lines, i)
    const piece = lines.slice(i, end + 1)
    const kind = end > i ? 'foreign' : kindOf(lines, i)
    if (fenceEnd !== undefined) {
      close()
      add(piece, isLong(piece) && !isFencedText(piece))
    } else if (kind === 'own') {
      close()
      add(piece, false)
    } else if (kind === 'foreign' || run.end > 0) {
      run.lines.push(...piece)
      if (kind === 'foreign') run.end = run.lines.length
    } else add(piece, false)
    i = end
  }
  close()
  return blocks
}

/** Lines from a foreign one on; those after `end` belong to it only if another foreign one follows. */
type Run = { lines: string[]; end: number }

function isLong(lines: readonly string[]): boolean {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0)
  return characters >= LEAST_PASTED && (lines.length > 2 || characters >= 2 * LEAST_PASTED)
}

/**
 * The line that closes the fence at `from`. A fence that nothing closes is not one: it would hide all that follows. The
 * search for its end is not repeated, so that many of them take little time.
 */
function closingFence(lines: readonly string[], from: number, unclosed: Set<string>): number | undefined {
  const [, mark] = FENCE.exec(lines[from] ?? '') ?? []
  if (mark === undefined || unclosed.has(mark)) return undefined
  for (let i = from + 1; i < lines.length; i++) {
    const text = lines[i]?.trim() ?? ''
    if (!text.startsWith(mark)) continue
    // Another block begins: the mark at `from` closed one whose beginning is missing.
    return /^(?:`+|~+)$/.test(text) ? i : undefined
  }
  unclosed.add(mark)
  return undefined
}

/** True for a fenced block in which most is written in sentences: a request may be fenced, too. */
function isFencedText(lines: readonly string[]): boolean {
  const [, , language = ''] = FENCE.exec(lines[0] ?? '') ?? []
  if (!/^(?:md|markdown|te?xt|plain\w*)$/i.test(language.trim())) return false
  const inner = lines.slice(1, -1).filter((line) => line.trim() !== '')
  const size = (some: readonly string[]) => some.reduce((sum, line) => sum + line.length, 0)
  return size(inner.filter((_, i) => kindOf(inner, i) === 'own')) > size(inner) / 2
}

/** The last line of the part of a diff whose heading is at `from`, by the counts in the heading; else `from`. */
function hunkEnd(lines: readonly string[], from: number): number {
  const heading = HUNK.exec(lines[from] ?? '')
  if (heading === null) return from
  let removed = Number(heading[1] ?? 1)
  let added = Number(heading[2] ?? 1)
  let end = from
  while (removed > 0 || added > 0) {
    const mark = lines[end + 1]?.[0]
    if (mark !== '+' && mark !== '-' && mark !== ' ' && mark !== '\\') break
    if (mark === '-' || mark === ' ') removed--
    if (mark === '+' || mark === ' ') added--
    end++
  }
  return end
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

/** Whose a line is. An unclear one, such as an empty line or an indented word, belongs to the foreign lines around it, if any. */
type LineKind = 'own' | 'foreign' | 'unclear'

function kindOf(lines: readonly string[], i: number): LineKind {
  const line = (lines[i] ?? '').slice(0, LOOKED_AT)
  const text = line.trim()
  if (text === '') return 'unclear'
  if (PROGRAM_LINE.test(text) || NUMBERED_LINE.test(line)) return 'foreign'
  if (ERROR_LINE.test(text) && TRACE_LINE.test((lines[i + 1] ?? '').slice(0, LOOKED_AT).trim())) return 'foreign'
  const plain = text.replace(QUOTED_CODE, ' ').trim()
  const { words, others, joined } = wordsIn(plain)
  const isSentence = joined || (words >= 1 && words >= others * 1.5)
  if (CODE_OPENS.test(text)) return 'foreign'
  const isLongSentence = joined || (isSentence && words > MOST_WORDS_OF_CODE)
  if (hasCodeSigns(plain, isSentence && (joined || words >= others * 3)) && !isLongSentence) return 'foreign'
  if (LONG_WORD.test(text) && words < 3) return 'foreign'
  if (INDENTED.test(line) && words <= MOST_WORDS_INSIDE && !joined)
    return NAME_BRACKET.test(plain) ? 'foreign' : 'unclear'
  return isSentence || words > 0 ? 'own' : 'unclear'
}

/** An operator is a sign of code in any but a long sentence; a bracket after a name is one only if hardly a word is around it. */
function hasCodeSigns(plain: string, isClear: boolean): boolean {
  if (OPERATOR.test(plain)) return !isClear || CODE_END.test(plain)
  return !isClear && /[;{}]$/.test(plain) && NAME_BRACKET.test(plain)
}

/** Code that a sentence names, names in templates, and addresses. */
const QUOTED_CODE = /`[^`]*`|\{[\w.]+\}|https?:\/\/\S+/g

/** The beginning of a line shows who wrote it. */
const LOOKED_AT = 2_000

/** A frame of a stack trace. A place in a file is required: people write `at the end (see above)`. */
const TRACE =
  /at .{0,400}\((?:[^()]{0,400}:\d+|native|<anonymous>|index \d+|Native Method|Unknown Source)\)$|at (?:async )?\S{1,400}:\d+:\d+$|File "[^"]{1,400}", line \d+|Traceback \(most recent call last\)|goroutine \d+ \[/
const TRACE_LINE = new RegExp(`^(?:${TRACE.source})`)
const ERROR_LINE = /^(?:Uncaught |Unhandled )?[\w.$]*(?:Error|Exception)\b/

/** Beginnings that only programs write: the time of a log line, JSON, traces, diffs, prompts and frames of a terminal, lists of files, errors of compilers. */
const PROGRAM_LINE = new RegExp(
  [
    /\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/,
    /\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s/,
    /(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d+ \d\d:\d\d:\d\d/,
    /"[^"]{1,80}"\s*:/,
    /[[{]\s*["{[]/,
    /[\])}{[(]+[;,]*$/,
    TRACE,
    /diff --git |index [0-9a-f]{7,}\.\.|--- (?:a\/|\/dev\/null)|\+\+\+ (?:b\/|\/dev\/null)|@@ -\d/,
    /(?:[$❯➜]|>>>) \S/,
    /[│┌├└─╭╰⏺⎿]/,
    /[-dl](?:[-r][-w][-xsStT]){3}[@+.]?\s/,
    /(?:async )?(?:def|class|function|func|fn) [\w.]+\(|from [\w.]+ import /,
    /\/\/ |\/\*|#include\b|#!\//,
    /\S{1,200}\.\w{1,6}(?::\d+:\d+|\(\d+,\d+\)):? (?:error|warning|note)\b/,
    /(?:error|warning)\[\w+\]:/,
    /<\/?[\w:-]+(?:\s+[\w:@.-]+=(?:"[^"]{0,200}"|'[^']{0,200}'))+\s*\/?>/,
  ]
    .map(({ source }) => `^(?:${source})`)
    .join('|'),
)
/** As tools that print files number their lines. */
const NUMBERED_LINE = /^\s*\d+→|^\s+\d+\t/

const CODE_OPENS = /(?:^|[\s)\]\w"'>])\{$|\w[([]$|=>$/
const CODE_END = /[;,:{}()[\]]$/
const OPERATOR =
  /(?:^|\s)(?:[=+*/<>!&|-]?==?|=>|&&|\|\||\{|\})(?:\s|$)|\b\w{1,60}=\S{1,200} \w{1,60}=\S{1,200} \w{1,60}=/
const NAME_BRACKET = /\w[([{]/
/** Even a long declaration has no more words than these. */
const MOST_WORDS_OF_CODE = 8

/** Indented, and not an item of a list: a short line of code, or of a log. */
const INDENTED = /^\s+(?![-*•>|#]|\d+[.)])\S/
const MOST_WORDS_INSIDE = 3

/** The lookbehind makes it start only at the beginning of a word. Chinese and Thai sentences have no spaces. */
const LONG_WORD = /(?<!\S)[!-~]{200}/

/** How many words of a text are as people write them, and how many are not; `joined`: it is in a script without spaces. */
function wordsIn(plain: string): { readonly words: number; readonly others: number; readonly joined: boolean } {
  let words = 0
  let others = 0
  for (const token of plain.split(/[\s|]+/)) {
    if (WORD.test(token)) words++
    else if (HAS_LETTER.test(token)) others++
  }
  const unspaced = plain.match(UNSPACED)?.length ?? 0
  return { words, others, joined: unspaced >= 2 && unspaced >= plain.replace(/\s/g, '').length * 0.3 }
}

const WORD = /^[\p{Pi}\p{Pd}("'¿¡*_[<~]*\p{L}(?:[\p{L}\p{M}'’‑/-]|\u200c|\u200d)*[\p{Po}\p{Pf})_\]>~]*$/u
const HAS_LETTER = /\p{L}/u
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
