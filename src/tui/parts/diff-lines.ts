import type { Tone } from '../port/port.ts'

/** The lines of a diff with their colours, without the names of the files. */
export function diffLines(diff: string): (readonly [line: string, tone: Tone])[] {
  const trimmed = diff.replace(/\n+$/, '')
  const lines = trimmed === '' ? [] : trimmed.split('\n')
  // Names are only above the first hunk. Below it, `--- x` is the removed line `-- x`.
  const first = lines.findIndex((line) => line.startsWith('@@'))
  // There are only names: the file is unchanged.
  if (first === -1 && /^--- .*\n\+\+\+ [^\n]*$/.test(trimmed)) return []
  const hunks = lines.slice(Math.max(0, first))
  return hunks.filter((line) => !line.startsWith('\\ No newline')).map((line) => [line, toneOf(line)])
}

function toneOf(line: string): Tone {
  if (line.startsWith('@@')) return 'muted'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'plain'
}
