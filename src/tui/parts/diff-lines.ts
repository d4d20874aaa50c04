import type { Ground, Line, Span } from '../port/port.ts'
import { codeLines, languageOf } from './syntax.ts'

/** The lines of a diff with their numbers and the colours of the file's language, without the names of the files. The words that changed in a line stand out. */
export function diffLines(diff: string, file = ''): Line[] {
  const lines = hunkLines(diff)
  const numbers = numbersOf(lines)
  const width = String(numbers.reduce<number>((most, number) => Math.max(most, number ?? 0), 0)).length
  const code = codeOf(lines, numbers, languageOf(file))
  return lines.flatMap((line, i): Line[] => {
    // The numbers say where a hunk is.
    if (line.startsWith('@@')) return i === 0 ? [] : [[['…', 'muted']]]
    const number = numbers[i]
    if (number === undefined) return [[[line, 'plain']]]
    const side = SIDES[line[0] ?? '']
    const spans = code[i] ?? [[line.slice(1), 'plain' as const]]
    if (side === undefined) return [[[`${String(number).padStart(width)} `, 'muted'], [' '], ...spans]]
    const changed = changedIn(line.slice(1), partnerOf(lines, i)?.slice(1))
    const before: Span = [`${String(number).padStart(width)} ${line.slice(0, 1)}`, side, side]
    return [[before, ...onGround(spans, side, changed)]]
  })
}

const SIDES: Readonly<Record<string, 'added' | 'removed'>> = { '+': 'added', '-': 'removed' }

/** The lines of a diff without their signs, in colours. Each hunk is read twice, as it was before and as it is now. */
function codeOf(
  lines: readonly string[],
  numbers: readonly (number | undefined)[],
  language: string,
): (Line | undefined)[] {
  const code: (Line | undefined)[] = []
  const read = (from: number, to: number, without: string) => {
    const places = lines.flatMap((line, i) =>
      i >= from && i < to && numbers[i] !== undefined && !line.startsWith(without) ? [i] : [],
    )
    const colored = codeLines(places.map((i) => lines[i]?.slice(1)).join('\n'), language)
    for (const [n, i] of places.entries()) code[i] = colored?.[n]
  }
  for (let from = 0; from < lines.length; ) {
    const next = lines.findIndex((line, i) => i > from && line.startsWith('@@'))
    const to = next === -1 ? lines.length : next
    read(from, to, '+')
    read(from, to, '-')
    from = to
  }
  return code
}

/** How many lines a diff adds and removes. */
export function diffCounts(diff: string): { readonly added: number; readonly removed: number } {
  const lines = hunkLines(diff)
  const of = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: of('+'), removed: of('-') }
}

function hunkLines(diff: string): string[] {
  const trimmed = diff.replace(/\n+$/, '')
  const lines = trimmed === '' ? [] : trimmed.split('\n')
  // Names are only above the first hunk. Below it, `--- x` is the removed line `-- x`.
  const first = lines.findIndex((line) => line.startsWith('@@'))
  // There are only names: the file is unchanged.
  if (first === -1 && /^--- .*\n\+\+\+ [^\n]*$/.test(trimmed)) return []
  return lines.slice(Math.max(0, first)).filter((line) => !line.startsWith('\\ No newline'))
}

/** The number of each line: in the old file if it is removed, otherwise in the new one. Undefined outside of hunks. */
function numbersOf(lines: readonly string[]): (number | undefined)[] {
  let [old, now, left] = [0, 0, 0]
  return lines.map((line) => {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk !== null) {
      old = Number(hunk[1])
      now = Number(hunk[3])
      left = Number(hunk[2] ?? 1) + Number(hunk[4] ?? 1)
      return undefined
    }
    // A remark follows the last line of a diff that was cut.
    if (left <= 0 || !/^[-+ ]/.test(line)) return undefined
    left -= line.startsWith(' ') ? 2 : 1
    if (line.startsWith(' ')) old++
    return line.startsWith('-') ? old++ : now++
  })
}

/** The line that replaces a removed one, or that an added one replaces: if as many lines are added as were removed before them. */
function partnerOf(lines: readonly string[], at: number): string | undefined {
  const sign = lines[at]?.[0]
  if (sign !== '-' && sign !== '+') return undefined
  const start = at - runBefore(lines, at, sign)
  const length = runFrom(lines, start, sign)
  if (length >= MOST_RUN) return undefined
  if (sign === '-') return runFrom(lines, start + length, '+') === length ? lines[at + length] : undefined
  return runBefore(lines, start, '-') === length ? lines[at - length] : undefined
}

/** In longer runs, nobody compares line by line; and each line looks at its whole run. */
const MOST_RUN = 100

function runFrom(lines: readonly string[], from: number, sign: string): number {
  let length = 0
  while (length < MOST_RUN && lines[from + length]?.startsWith(sign) === true) length++
  return length
}

function runBefore(lines: readonly string[], before: number, sign: string): number {
  let length = 0
  while (length < MOST_RUN && lines[before - length - 1]?.startsWith(sign) === true) length++
  return length
}

/** A part of a line, by its first character and the one after its last. */
type Range = readonly [start: number, end: number]

/** The parts of a line that its partner does not have. Lines without a word in common are two different lines. */
function changedIn(line: string, partner: string | undefined): readonly Range[] {
  if (partner === undefined) return []
  const [own, other] = [wordsOf(line), wordsOf(partner)]
  const kept = commonWords(own, other)
  if (!own.some((word, i) => kept.has(i) && /\w/.test(word))) return []
  const ranges: [number, number][] = []
  let at = 0
  for (const [i, word] of own.entries()) {
    const last = ranges.at(-1)
    if (!kept.has(i)) {
      if (last?.[1] === at) last[1] += word.length
      else ranges.push([at, at + word.length])
    }
    at += word.length
  }
  return ranges
}

/** More words are not compared one by one: the time is that of all pairs. */
const MOST_PAIRS = 40_000

/** The places of the words that are in both texts, in the same order: the longest such series between the same beginning and end. */
function commonWords(own: readonly string[], other: readonly string[]): ReadonlySet<number> {
  const kept = new Set<number>()
  const most = Math.min(own.length, other.length)
  let head = 0
  while (head < most && own[head] === other[head]) kept.add(head++)
  let tail = 0
  while (tail < most - head && own.at(-1 - tail) === other.at(-1 - tail)) kept.add(own.length - 1 - tail++)
  const [mine, theirs] = [own.slice(head, own.length - tail), other.slice(head, other.length - tail)]
  if (mine.length * theirs.length > MOST_PAIRS) return kept
  const columns = theirs.length + 1
  // The length of the longest series from each pair on.
  const longest = new Uint16Array((mine.length + 1) * columns)
  const at = (i: number, j: number) => longest[i * columns + j] ?? 0
  for (let i = mine.length - 1; i >= 0; i--)
    for (let j = theirs.length - 1; j >= 0; j--)
      longest[i * columns + j] = mine[i] === theirs[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  for (let i = 0, j = 0; i < mine.length && j < theirs.length; ) {
    if (mine[i] === theirs[j]) {
      kept.add(head + i++)
      j++
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return kept
}

/** The spans on the background of their side, cut so that the changed parts stand out. */
function onGround(spans: Line, side: 'added' | 'removed', changed: readonly Range[]): Span[] {
  const marked: Span[] = []
  let at = 0
  for (const [text, tone = 'plain'] of spans) {
    const end = at + text.length
    const cuts = changed.flat().filter((cut) => cut > at && cut < end)
    for (const [i, from] of [at, ...cuts].entries()) {
      const to = cuts[i] ?? end
      const isChanged = changed.some(([start, stop]) => from >= start && to <= stop)
      const ground: Ground = isChanged ? `${side}-word` : side
      marked.push([text.slice(from - at, to - at), tone, ground])
    }
    at = end
  }
  return marked
}

function wordsOf(text: string): string[] {
  return text.match(/\w+|\s+|[^\w\s]/gu) ?? []
}
