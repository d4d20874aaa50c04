import { parseSync, Visitor } from 'rolldown/utils'
import { type Change, changeVisitor, type Range } from './changes.ts'
import { keepVisitor } from './kept.ts'

/** A source file with one small change that a test should notice. */
export type Mutant = Change & {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly original: string
  /** The changed lines, with single spaces: names the mutant in the list of accepted ones, wherever the code moves. */
  readonly snippet: string
}

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
    .map((change) => ({ ...change, file, ...place(text, change), snippet: snippetOf(text, change) }))
}

/** The source text with the mutant in it. */
export function mutatedText(text: string, { start, end, mutated }: Change): string {
  return text.slice(0, start) + mutated + text.slice(end)
}

function place(text: string, { start, end }: Range): { line: number; column: number; original: string } {
  const before = text.slice(0, start).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, original: text.slice(start, end) }
}

function snippetOf(text: string, change: Change): string {
  const from = text.lastIndexOf('\n', change.start - 1) + 1
  const newline = text.indexOf('\n', change.end)
  const to = newline === -1 ? text.length : newline
  const lines = text.slice(from, change.start) + change.mutated + text.slice(change.end, to)
  return lines.replaceAll(/\s+/g, ' ').trim()
}
