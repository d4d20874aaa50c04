import type { Seq, StatementFact } from '../types.ts'

/** More than any record shows. */
const STATEMENTS_CHARACTERS = 24_000

/** Each statement once, in order; only the newest, if there are more than any record shows. */
export function mergeStatements(all: readonly StatementFact[]): StatementFact[] {
  const byText = new Map<string, StatementFact>()
  for (const fact of all) byText.set(`${fact.kind} ${fact.text}`, fact)
  return newestStatements([...byText.values()].toSorted(inOrder), STATEMENTS_CHARACTERS)
}

/** The newest statements that have at most `characters` together. */
export function newestStatements(statements: readonly StatementFact[], characters: number): StatementFact[] {
  let left = characters
  const from = statements.findLastIndex(({ text }) => {
    left -= text.length
    return left < 0
  })
  return statements.slice(from + 1)
}

function inOrder(a: { seq: Seq }, b: { seq: Seq }): number {
  return a.seq - b.seq
}
