import { createTwoFilesPatch, FILE_HEADERS_ONLY, OMIT_HEADERS } from 'diff'

/** A unified diff of a file; one line instead where the texts are too large or too different to compare. */
export function fileDiff(path: string, before: string | undefined, after: string): string {
  return diffOf(path, before, after, FILE_HEADERS_ONLY)
}

/** A diff without file names, of at most so many lines. */
export function shortDiff(path: string, before: string, after: string, mostLines: number): string {
  const all = diffOf(path, before, after, OMIT_HEADERS).replaceAll('\r\n', '\n').split('\n')
  const left = all.length - mostLines
  return left <= 0 ? all.join('\n') : [...all.slice(0, mostLines), `(${left} more lines of diff)`].join('\n')
}

function diffOf(path: string, before: string | undefined, after: string, headerOptions: typeof OMIT_HEADERS): string {
  const from = before === undefined ? '/dev/null' : path
  const old = before ?? ''
  const options = { context: 3, maxEditLength: MOST_CHANGES, headerOptions }
  const isSmall = old.length + after.length <= MOST_CHARACTERS
  const patch = isSmall ? createTwoFilesPatch(from, path, old, after, undefined, undefined, options) : undefined
  if (patch === undefined) return `(${path}: ${lines(old)} lines become ${lines(after)}; too much for a diff)`
  return patch.replace(/\n$/, '')
}

const MOST_CHARACTERS = 4_000_000
const MOST_CHANGES = 4_000

function lines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
