import { createTwoFilesPatch } from 'diff'

/** A unified diff of a file; one line instead where the texts are too large or too different to compare. */
export function fileDiff(path: string, before: string | undefined, after: string): string {
  const from = before === undefined ? '/dev/null' : path
  const old = before ?? ''
  const patch =
    old.length + after.length > MOST_CHARACTERS
      ? undefined
      : createTwoFilesPatch(from, path, old, after, undefined, undefined, { context: 3, maxEditLength: MOST_CHANGES })
  if (patch === undefined) return `(${path}: ${lines(old)} lines become ${lines(after)}; too much for a diff)`
  return patch.replace(/^=+\n/, '').replace(/\t$/gm, '').trimEnd()
}

/** A diff without its file names, and not longer than so many lines. */
export function shortDiff(path: string, before: string, after: string, mostLines: number): string {
  const all = fileDiff(path, before, after)
    .split('\n')
    .filter((line, i) => i > 1 || !/^(?:---|\+\+\+) /.test(line))
    .map((line) => line.replace(/\r$/, ''))
  const left = all.length - mostLines
  return left <= 0 ? all.join('\n') : [...all.slice(0, mostLines), `(${left} more lines of diff)`].join('\n')
}

const MOST_CHARACTERS = 4_000_000
const MOST_CHANGES = 4_000

function lines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
