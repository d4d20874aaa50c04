import { parseSync, Visitor } from 'rolldown/utils'
import { type Change, changeVisitor, type Range } from './changes.ts'
import { keepVisitor } from './kept.ts'

/** A source file with one small change that a test should notice. */
export type Mutant = Change & {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly original: string
  /** The lines that it changes, with single spaces: they name the mutant in the list of accepted ones when code moves. */
  readonly before: string
  readonly after: string
}

const LINE = 160

/** All mutants of a source text. Types, imports and the names of properties stay as they are. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const { program } = parseSync(file, text)
  const kept: Range[] = []
  const changes: Change[] = []
  new Visitor(keepVisitor((range) => kept.push(range))).visit(program)
  new Visitor(changeVisitor(text, (change) => changes.push(change))).visit(program)
  return changes
    .filter((change) => !kept.some(({ start, end }) => start <= change.start && change.end <= end))
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((change) => ({ ...change, file, ...place(text, change), ...linesOf(text, change) }))
}

/** The source text with the mutant in it. */
export function mutatedText(text: string, { start, end, mutated }: Change): string {
  return text.slice(0, start) + mutated + text.slice(end)
}

function place(text: string, { start, end }: Range): { line: number; column: number; original: string } {
  const before = text.slice(0, start).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, original: text.slice(start, end) }
}

function linesOf(text: string, change: Change): { before: string; after: string } {
  const start = text.lastIndexOf('\n', change.start - 1) + 1
  const newline = text.indexOf('\n', change.end)
  const end = newline === -1 ? text.length : newline
  const after = text.slice(start, change.start) + change.mutated + text.slice(change.end, end)
  return { before: oneLine(text.slice(start, end)), after: oneLine(after) }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, LINE)
}
