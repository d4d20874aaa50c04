import { mergeFileChanges, unreadChange } from '../../../model/facts/merge-facts.ts'
import { headOf, withoutEscapes } from '../../../model/text.ts'
import type { ChangeFact, Seq, SymbolFact } from '../../../model/types.ts'
import { symbolIn, type TextKind, textKind } from './symbol-in.ts'
import type { TextPiece } from './text-pieces.ts'

/** The change that one call made to a file's text. If a command changed the file without showing how, there are no pieces. */
export function changeOf(path: string, pieces: readonly TextPiece[], seq: Seq): ChangeFact {
  const numbers = { path, seq, edits: 1 }
  return pieces.length === 0 ? numbers : unreadChange(numbers, () => piecesChange(path, pieces, seq))
}

function piecesChange(path: string, pieces: readonly TextPiece[], seq: Seq): ChangeFact {
  const kind = textKind(path)
  return mergeFileChanges(pieces.slice(0, MOST_PIECES).map((piece) => pieceChange(path, kind, piece, seq)))
}

const MOST_PIECES = 100

function pieceChange(path: string, kind: TextKind, { before, after }: TextPiece, seq: Seq): ChangeFact {
  const lines = changedLines(linesOf(before ?? ''), linesOf(after))
  const old = symbolsOf(lines.before, kind)
  const now = symbolsOf(lines.after, kind)
  const touched = new Set([...old.touched, ...now.touched])
  const symbols = [...touched].map(
    (name): SymbolFact => ({ name, first: seq, last: seq, was: old.names.has(name), is: now.names.has(name) }),
  )
  const hunk = hunkOf(lines, before === undefined)
  const renamed = renamedIn(lines, old.names, now.names)
  return {
    path,
    seq,
    edits: 1,
    whole: before === undefined ? seq : undefined,
    symbols,
    renamed: renamed && [{ seq, ...renamed }],
    hunks: hunk === '' ? undefined : [{ seq, text: hunk }],
  }
}

type Symbols = { readonly names: ReadonlySet<string>; readonly touched: ReadonlySet<string> }

/** The symbols of some lines. A symbol is touched if its line changed, or if it is the nearest one above a changed line. */
function symbolsOf(lines: readonly { readonly text: string; readonly isChanged: boolean }[], kind: TextKind): Symbols {
  const names = new Set<string>()
  const touched = new Set<string>()
  let around: string | undefined
  for (const { text, isChanged } of lines) {
    const name = symbolIn(text, kind)
    if (name !== undefined) {
      names.add(name)
      around = name
    }
    if (isChanged && around !== undefined) touched.add(around)
  }
  return { names, touched }
}

/** An edit that replaces one name by another and leaves everything else as it was is a rename. Otherwise one was removed and one added. */
function renamedIn(
  { before, after }: ChangedLines,
  old: ReadonlySet<string>,
  now: ReadonlySet<string>,
): { readonly from: string; readonly to: string } | undefined {
  const gone = [...old].filter((name) => !now.has(name))
  const come = [...now].filter((name) => !old.has(name))
  const [from, to] = [gone[0], come[0]]
  if (from === undefined || to === undefined || gone.length > 1 || come.length > 1) return undefined
  if (before.length !== after.length) return undefined
  return before.every(({ text }, i) => withName(text, from, to) === after[i]?.text) ? { from, to } : undefined
}

/** The line with another name instead of this one. Longer names that contain it stay. */
function withName(line: string, from: string, to: string): string {
  let at = line.indexOf(from)
  if (at === -1) return line
  let text = ''
  let start = 0
  for (; at !== -1; at = line.indexOf(from, at + from.length)) {
    if (isLetter(line[at - 1]) || isLetter(line[at + from.length])) continue
    text += line.slice(start, at) + to
    start = at + from.length
  }
  return text + line.slice(start)
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign)
}

const HUNK_CHARACTERS = 500
/** Removed lines get less room: the current text is more useful than the old one. */
const REMOVED_CHARACTERS = 160
const LINE_CHARACTERS = 200

/** The changed lines, `-` and `+`, clipped. For a whole file: its first lines after imports and comments. */
function hunkOf({ before, after }: ChangedLines, isWhole: boolean): string {
  const removed = texts(before)
  const added = isWhole ? texts(after).filter((line) => !PREAMBLE.test(line)) : texts(after)
  const shift = indentOf([...removed, ...added])
  const old = within(apart(removed, added), '-', shift, added.length === 0 ? HUNK_CHARACTERS : REMOVED_CHARACTERS)
  const now = within(apart(added, removed), '+', shift, HUNK_CHARACTERS - old.join('\n').length)
  return [...old, ...now].join('\n')
}

/** If one long line replaces another, only its beginning and the part from the first difference are shown. */
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
/** A common beginning of this length is not a coincidence. */
const SAME_CHARACTERS = 90
/** A few words before the difference show where it is. */
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

/** A line of a text, and whether it is missing from the other text. */
type MarkedLine = { readonly text: string; readonly isChanged: boolean }

type ChangedLines = { readonly before: readonly MarkedLine[]; readonly after: readonly MarkedLine[] }

/** Only this much of a text is read: a larger file is generated, not written. */
const MOST_CHARACTERS = 200_000

/** The lines of a text, up to that limit. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.slice(0, MOST_CHARACTERS).split(/\r?\n/)
}

/** Marks in both texts the lines that have no match in the other one. Order does not count, so it takes linear time. */
function changedLines(before: readonly string[], after: readonly string[]): ChangedLines {
  return { before: marked(before, counts(after)), after: marked(after, counts(before)) }
}

function counts(lines: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const line of lines) numbers.set(line, (numbers.get(line) ?? 0) + 1)
  return numbers
}

function marked(lines: readonly string[], others: Map<string, number>): MarkedLine[] {
  return lines.map((text) => {
    const left = others.get(text) ?? 0
    if (left > 0) others.set(text, left - 1)
    return { text, isChanged: left === 0 && text.trim() !== '' }
  })
}
