import type { Seq } from '../../model/types.ts'
import { RANK, type RecordLine, renderedOnce, type ValuedLine } from './lines/line.ts'

/** The size of a text in the record's room. */
export type Cost = (text: string) => number

/** A line with the form that it has room for. */
export type ChosenLine = { readonly line: RecordLine; readonly text: string }

/** The chosen lines, and the tokens that they take with their headings. */
export type ChosenLines = { readonly lines: readonly ChosenLine[]; readonly tokens: number }

/** True if a line is worth its tokens, where `used` tokens are taken already. */
export type IsWorth = (chance: number, tokens: number, used: number) => boolean

/**
 * Chooses lines for a room. First what stays, which gives way in the order of its rank where there is not room for all; then
 * everything else, and longer forms, by chance for each token. Lines that stay and find no room are counted.
 */
export function selectLines(
  given: readonly ValuedLine[],
  room: number,
  cost: Cost,
  isWorth: IsWorth = () => true,
): ChosenLines {
  const lines = given.map(renderedOnce)
  const selection = new Selection(lines, cost)
  for (const line of lines) if (line.stays !== undefined) selection.set(line, line.stays.level)
  if (selection.used > room) makeRoom(selection, lines, room)
  for (let pieces = firstPieces(selection, lines); pieces.length > 0; )
    pieces = filled(selection, pieces, room, isWorth)
  return { lines: selection.chosen(), tokens: selection.used }
}

/** The lines that stay become shorter until they fit, the oldest of the lowest rank first; those that find no room are counted. */
function makeRoom(selection: Selection, lines: readonly RecordLine[], room: number): void {
  const staying = lines.filter(({ stays }) => stays !== undefined)
  for (const rank of Object.values(RANK)) {
    const some = staying.filter(({ stays }) => stays?.rank === rank).toSorted(oldestFirst)
    const steps = [
      ...some.flatMap((line) => shorterSteps(selection, line)),
      ...some.flatMap((line) => (line.what === undefined ? [] : [() => selection.leaveOut(line)])),
    ]
    for (const step of steps) {
      if (selection.used <= room) return
      step()
    }
  }
}

/** From the form in which a line stays down to its shortest, one by one. */
function shorterSteps(selection: Selection, line: RecordLine): (() => void)[] {
  const from = line.stays?.level ?? 0
  return Array.from({ length: line.levels - 1 - from }, (_, i) => () => selection.set(line, from + 1 + i))
}

/** By their own entries, which are the first of those they come from: a check that all files have does not make them alike. */
function oldestFirst(a: RecordLine, b: RecordLine): number {
  return ownSeq(a) - ownSeq(b) || b.order - a.order
}

function ownSeq({ from: [own = 0] }: RecordLine): Seq {
  return own
}

/** A line that may come in or become longer, with what that costs. */
type Piece = { readonly line: ValuedLine; readonly level: number; readonly tokens: number }

function firstPieces(selection: Selection, lines: readonly ValuedLine[]): Piece[] {
  return lines.flatMap((line) => selection.next(line))
}

/** Takes pieces in while there is room, the best first, and returns the next ones of the same lines. */
function filled(selection: Selection, pieces: readonly Piece[], room: number, isWorth: IsWorth): Piece[] {
  const ranked = pieces.toSorted(
    (a, b) => b.line.chance * a.tokens - a.line.chance * b.tokens || oldestFirst(b.line, a.line),
  )
  const next: Piece[] = []
  for (const { line, level: from } of ranked) {
    for (let level = from; level < (selection.levelOf(line) ?? line.levels); level++) {
      const tokens = selection.costOf(line, level)
      if (selection.used + tokens > room || !isWorth(line.chance, tokens, selection.used)) continue
      selection.set(line, level)
      next.push(...selection.next(line))
      break
    }
  }
  return next
}

/** The state of a selection: which lines are in, in which form, and the tokens that they take with their headings. */
class Selection {
  used = 0
  readonly #levels = new Map<RecordLine, number>()
  readonly #left = new Map<string, Set<RecordLine>>()
  readonly #opened = new Map<string, number>()
  readonly #lines: readonly RecordLine[]
  readonly #cost: Cost

  constructor(lines: readonly RecordLine[], cost: Cost) {
    this.#lines = lines
    this.#cost = cost
  }

  levelOf(line: RecordLine): number | undefined {
    return this.#levels.get(line)
  }

  /** The next longer form of a line, or its first; none if it has no longer one. */
  next(line: ValuedLine): Piece[] {
    const now = this.#levels.get(line)
    const level = now === undefined ? 0 : now - 1
    return level < 0 ? [] : [{ line, level, tokens: Math.max(1, this.costOf(line, level)) }]
  }

  /** The tokens that it costs to show a line in this form, compared with now. */
  costOf(line: RecordLine, level: number): number {
    const now = this.#levels.get(line)
    const text = this.#textCost(line, level)
    if (now !== undefined) return text - this.#textCost(line, now)
    return (
      text +
      this.#headings(line).reduce((sum, [key, title]) => sum + (this.#opened.get(key) ? 0 : this.#cost(title) + 2), 0)
    )
  }

  set(line: RecordLine, level: number): void {
    this.used += this.costOf(line, level)
    if (!this.#levels.has(line))
      for (const [key] of this.#headings(line)) this.#opened.set(key, (this.#opened.get(key) ?? 0) + 1)
    this.#levels.set(line, level)
    this.#uncount(line)
  }

  /** Takes a line out, and counts it in one line with the others of its kind. */
  leaveOut(line: RecordLine): void {
    const level = this.#levels.get(line)
    if (level === undefined) return
    this.used -= this.#textCost(line, level)
    this.#levels.delete(line)
    for (const [key] of this.#headings(line)) this.#opened.set(key, (this.#opened.get(key) ?? 1) - 1)
    const key = countKey(line)
    const left = this.#left.get(key) ?? new Set()
    if (left.size === 0) this.used += COUNT_TOKENS
    this.#left.set(key, left.add(line))
  }

  /** A line that found room after all is not counted. */
  #uncount(line: RecordLine): void {
    const left = this.#left.get(countKey(line))
    if (left?.delete(line) !== true || left.size > 0) return
    this.#left.delete(countKey(line))
    this.used -= COUNT_TOKENS
  }

  chosen(): ChosenLine[] {
    const shown = this.#lines.flatMap((line): ChosenLine[] => {
      const level = this.#levels.get(line)
      return level === undefined ? [] : [{ line, text: line.render(level) }]
    })
    const counts = [...this.#left.values()].map((some): ChosenLine => {
      const left = [...some]
      const [first] = left as [RecordLine]
      const line = { ...first, from: [], order: Number.POSITIVE_INFINITY, label: undefined }
      return { line, text: countText(left) }
    })
    return [...shown, ...counts]
  }

  #textCost(line: RecordLine, level: number): number {
    return renderedOnce(line).sizeOf(level, this.#cost)
  }

  #headings({ section, heading, label }: RecordLine): [key: string, title: string][] {
    return [
      [section, `## ${section}\n`],
      ...(heading === undefined ? [] : [[`${section}\n${heading}`, `### ${heading}`] as [string, string]]),
      ...(label === undefined ? [] : [[`${section}\n${heading}\n${label}`, `- ${label}: `] as [string, string]]),
    ]
  }
}

function countKey({ section, what }: RecordLine): string {
  return `${section}\n${what}`
}

/** The tokens of a line that counts what was left out. */
const COUNT_TOKENS = 60
const MOST_FOLDERS = 6

/** The line that counts what found no room; files by their folders. */
function countText(left: readonly RecordLine[]): string {
  const [first] = left
  const folders = Map.groupBy(left, ({ folder }) => folder)
  if (first?.folder === undefined) return `(and ${left.length} ${first?.what}: search the log with recall)`
  const largest = [...folders].toSorted(([, a], [, b]) => b.length - a.length).slice(0, MOST_FOLDERS)
  const counts = largest.map(([folder, some]) => `${some.length} in ${folderText(folder)}`).join(', ')
  return `(and ${left.length} ${first.what}: ${counts}${folders.size > MOST_FOLDERS ? ', …' : ''}; search the log with recall)`
}

/** The end of a long folder: its count has little room. */
function folderText(folder = ''): string {
  if (folder === '') return '.'
  return folder.length > FOLDER_CHARACTERS ? `…${folder.slice(-FOLDER_CHARACTERS).toWellFormed()}` : folder
}

const FOLDER_CHARACTERS = 30
