import { createTwoFilesPatch, FILE_HEADERS_ONLY, OMIT_HEADERS } from 'diff'

/** A unified diff of a file with everything that an edit changes. A change of millions of characters is described in one line instead. */
export function fileDiff(path: string, before: string | undefined, after: string): string {
  return diffOf(path, before, after, FILE_HEADERS_ONLY)
}

/** A diff without file names, of at most `mostLines` lines. If it is cut, it says how many lines were added and removed in all. */
export function shortDiff(path: string, before: string, after: string, mostLines: number): string {
  const all = diffOf(path, before, after, OMIT_HEADERS).replaceAll('\r\n', '\n').split('\n')
  const left = all.length - mostLines
  if (left <= 0) return all.join('\n')
  const count = (mark: string) => all.filter((line) => line.startsWith(mark)).length
  const rest = `(${left} more lines of diff; in all +${count('+')} -${count('-')})`
  return [...all.slice(0, mostLines), rest].join('\n')
}

function diffOf(path: string, before: string | undefined, after: string, headerOptions: typeof OMIT_HEADERS): string {
  const from = before === undefined ? '/dev/null' : path
  const old = before ?? ''
  const options = { context: 3, maxEditLength: MOST_CHANGES, headerOptions }
  const isSmall = old.length + after.length <= MOST_CHARACTERS
  const patch = isSmall ? createTwoFilesPatch(from, path, old, after, undefined, undefined, options) : undefined
  return patch?.replace(/\n$/, '') ?? replacement(path, linesOf(old), linesOf(after))
}

const MOST_CHARACTERS = 4_000_000
/** The time grows with the square of this number: a thousand changes take a tenth of a second. */
const MOST_CHANGES = 1_000

/** One hunk that replaces all lines between the first and the last difference. */
function replacement(path: string, old: readonly string[], after: readonly string[]): string {
  const most = Math.min(old.length, after.length)
  let start = 0
  while (start < most && old[start] === after[start]) start++
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === after[after.length - 1 - end]) end++
  const removed = old.slice(start, old.length - end)
  const added = after.slice(start, after.length - end)
  const head = `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@`
  const hunk = [head, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join('\n')
  if (hunk.length <= MOST_CHARACTERS) return hunk
  return `(${path}: ${old.length} lines become ${after.length}; too much for a diff)`
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
