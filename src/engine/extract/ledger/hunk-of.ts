import { headOf } from '../../../model/text/shorten.ts'
import { withoutEscapes } from '../../../model/text/without-escapes.ts'
import type { ChangedLines, MarkedLine } from './changed-lines.ts'

const HUNK_CHARACTERS = 500
/** Removed lines get less room: what a file is now says more than what it was. */
const REMOVED_CHARACTERS = 160
const LINE_CHARACTERS = 200

/** The changed lines, `-` and `+`, clipped; of a whole file the first lines that do more than name what it needs. */
export function hunkOf({ before, after }: ChangedLines, isWhole: boolean): string {
  const removed = texts(before)
  const added = isWhole ? texts(after).filter((line) => !PREAMBLE.test(line)) : texts(after)
  const shift = indentOf([...removed, ...added])
  const old = within(apart(removed, added), '-', shift, added.length === 0 ? HUNK_CHARACTERS : REMOVED_CHARACTERS)
  const now = within(apart(added, removed), '+', shift, HUNK_CHARACTERS - old.join('\n').length)
  return [...old, ...now].join('\n')
}

/** A long line that another one replaces is told by its beginning and from where the two differ. */
function apart(lines: readonly string[], others: readonly string[]): string[] {
  return lines.map((line) => {
    if (line.length <= LINE_CHARACTERS) return line
    const other = others.find((one) => one !== line && one.startsWith(line.slice(0, SAME_CHARACTERS)))
    const same = other === undefined ? 0 : sameCharacters(line, other)
    if (same <= SAME_CHARACTERS) return line
    const from = line.lastIndexOf(' ', same - BEFORE_CHARACTERS) + 1
    return `${line.slice(0, BEGINNING)} … ${line.slice(from)}`
  })
}

const BEGINNING = 48
/** So long a beginning is no chance. */
const SAME_CHARACTERS = 90
/** Some words before the difference say where it is. */
const BEFORE_CHARACTERS = 30

function sameCharacters(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

const PREAMBLE =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|using\s|package\s|#include|#!|\/\/|\/?\*|<!--|\)$|\}\s*from\b|(?:\w+ )?"[\w./@-]+"$)/

function texts(lines: readonly MarkedLine[]): string[] {
  const changed: string[] = []
  for (const { text, isChanged } of lines) {
    if (isChanged) changed.push(withoutEscapes(text))
    if (changed.length === MOST_LINES) break
  }
  return changed
}

const MOST_LINES = 100

function indentOf(lines: readonly string[]): number {
  const indents = lines.map((line) => line.search(/\S/)).filter((indent) => indent >= 0)
  return indents.length === 0 ? 0 : Math.min(...indents)
}

function within(lines: readonly string[], sign: '-' | '+', shift: number, characters: number): string[] {
  const shown: string[] = []
  let left = characters
  for (const line of lines) {
    const text = line.slice(shift).trimEnd()
    const clipped = `${sign}${text.length > LINE_CHARACTERS ? `${headOf(text, LINE_CHARACTERS)}…` : text}`
    left -= clipped.length + 1
    if (left < 0 && shown.length > 0) return [...shown, `${sign}…`]
    shown.push(clipped)
  }
  return shown
}
