import type { Line, Span, Tone } from '../port/port.ts'

/** The lines of a diff with their numbers and colours, without the names of the files. The words that changed in a line are in bold. */
export function diffLines(diff: string): Line[] {
  const lines = hunkLines(diff)
  const numbers = numbersOf(lines)
  const width = String(numbers.reduce<number>((most, number) => Math.max(most, number ?? 0), 0)).length
  return lines.flatMap((line, i): Line[] => {
    // The numbers say where a hunk is.
    if (line.startsWith('@@')) return i === 0 ? [] : [[['…', 'muted']]]
    const number = numbers[i]
    const before: Span[] = number === undefined ? [] : [[`${String(number).padStart(width)} `, 'muted']]
    return [[...before, ...wordSpans(line, partnerOf(lines, i))]]
  })
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

/** A line in its colour. What is between the words that it has in common with its partner, at its beginning and end, is in bold. */
function wordSpans(line: string, partner: string | undefined): Span[] {
  const tone = toneOf(line)
  if (partner === undefined || (tone !== 'added' && tone !== 'removed')) return [[line, tone]]
  const [own, other] = [wordsOf(line.slice(1)), wordsOf(partner.slice(1))]
  const most = Math.min(own.length, other.length)
  let head = 0
  while (head < most && own[head] === other[head]) head++
  let tail = 0
  while (tail < most - head && own.at(-1 - tail) === other.at(-1 - tail)) tail++
  // Lines without a word in common are two different lines.
  const shared = [...own.slice(0, head), ...own.slice(own.length - tail)]
  if (!shared.some((word) => /\w/.test(word))) return [[line, tone]]
  const changed = own.slice(head, own.length - tail).join('')
  const spans: Span[] = [
    [`${line.slice(0, 1)}${own.slice(0, head).join('')}`, tone],
    [changed, tone === 'added' ? 'added-word' : 'removed-word'],
    [own.slice(own.length - tail).join(''), tone],
  ]
  return spans.filter(([text]) => text !== '')
}

function wordsOf(text: string): string[] {
  return text.match(/\w+|\s+|[^\w\s]/gu) ?? []
}

function toneOf(line: string): Tone {
  if (line.startsWith('@@')) return 'muted'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'plain'
}
