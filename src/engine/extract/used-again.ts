import type { Steps } from '../../model/steps.ts'
import { withoutEscapes } from '../../model/text.ts'
import {
  type IndexDelta,
  type Item,
  outputText,
  type PrintedLine,
  resultsOf,
  type Seq,
  type StatementFact,
} from '../../model/types.ts'
import type { KnownFacts } from './item-facts.ts'
import { mayBePrinted } from './result-facts.ts'
import { withoutClientNotes } from './text/client-notes.ts'
import { LOOKED_AT, NAME, namesIn, writtenNames } from './text/names.ts'

/** When the agent wrote each name last, in words or in a call. */
type LastUse = Map<string, Seq>

/** The items between two pauses. */
const A_FEW = 50
const [SHORTEST, LONGEST] = [6, 200]
const MOST_LINES = 40
const MOST_PRINTED = 400

/**
 * The agent's paragraphs and the printed lines, each with how many of its names the agent used again, and besides them the lines
 * of output that only their use shows to matter: their names were used again, and nothing else has them.
 */
export function* withUse(
  { statements = [], printed = [], ...facts }: IndexDelta,
  items: readonly Item[],
  known: KnownFacts = [],
): Steps<Pick<IndexDelta, 'statements' | 'printed'>> {
  const names = items.map((item, i) => known[i]?.names ?? namesIn(item))
  yield
  const uses: LastUse = new Map()
  for (const [i, { seq, message }] of items.entries())
    if (message.role === 'assistant') for (const name of names[i] ?? []) uses.set(name, seq)
  const said = statements.map((fact) => used(fact, uses))
  const lines = printed.map((line) => used(line, uses))
  const shown = new Set([
    ...statements.flatMap(({ text }) => writtenNames(text)),
    ...printed.flatMap(({ text }) => writtenNames(text)),
    ...(facts.users ?? []).flatMap(({ text }) => writtenNames(text)),
    ...(facts.commands ?? []).flatMap(({ command }) => writtenNames(command)),
    ...(facts.files ?? []).map(({ path }) => path),
  ])
  // The newest first: no record has room for more.
  for (let i = items.length - 1; i >= 0 && lines.length < MOST_PRINTED; i--) {
    const item = items[i]
    const isUsed = (name: string) => (uses.get(name) ?? 0) > (item?.seq ?? 0) && !shown.has(name)
    if (item?.message.role === 'tool' && names[i]?.some(isUsed)) lines.push(...usedLines(item, isUsed, shown))
    if (i % A_FEW === 0) yield
  }
  return {
    ...(said.length === 0 ? {} : { statements: said }),
    ...(lines.length === 0 ? {} : { printed: lines }),
  }
}

function used<F extends StatementFact | PrintedLine>(fact: F, uses: LastUse): F {
  const times = 1 + new Set(writtenNames(fact.text).filter((name) => (uses.get(name) ?? 0) > fact.seq)).size
  return times === 1 ? fact : { ...fact, times }
}

/** The lines of results with names that were used later and that no line has yet. */
function usedLines({ seq, message }: Item, isUsed: (name: string) => boolean, shown: Set<string>): PrintedLine[] {
  const found: PrintedLine[] = []
  for (const result of resultsOf(message)) {
    if (!mayBePrinted(result.toolName)) continue
    const output = withoutClientNotes(withoutEscapes(outputText(result.output).slice(0, LOOKED_AT)))
    let lineEnd = -1
    // Looked up word by word, because few are used again: a line is taken apart only if one of its words is.
    for (const { 0: name, index } of output.matchAll(NAME)) {
      if (index < lineEnd || !isUsed(name) || found.length >= MOST_LINES) continue
      const start = output.lastIndexOf('\n', index) + 1
      const newline = output.indexOf('\n', index)
      lineEnd = newline === -1 ? output.length : newline
      const text = output.slice(start, lineEnd).trim().slice(0, LONGEST)
      const again = writtenNames(text).filter(isUsed)
      if (again.length === 0 || text.length < SHORTEST) continue
      for (const one of again) shown.add(one)
      found.push({ seq, text, times: 1 + again.length })
    }
  }
  return found
}
