import type { WireFact } from '../../src/contract/shapes/compaction-shapes.ts'
import { namesOf } from '../../src/engine/compact/verify/source-index.ts'

/**
 * A piece of a summary. `plain`: words. `found`: a name that the source contains; `seqs` are the entries it came from, if the
 * index knows them. `flagged`: a name that the source does not contain.
 */
export type SummaryPiece = {
  readonly text: string
  readonly kind: 'plain' | 'found' | 'flagged'
  readonly seqs: readonly number[]
}

export type AnnotatedSummary = {
  readonly lines: readonly (readonly SummaryPiece[])[]
  /** How many names were looked up in the source, and how many of them it contains. */
  readonly checked: number
  readonly found: number
}

type Term = Omit<SummaryPiece, 'kind'> & { readonly kind: 'found' | 'flagged' }

/** Splits a summary into pieces, so that each name links to the entries it came from. */
export function annotate(summary: string, facts: readonly WireFact[], flagged: readonly string[]): AnnotatedSummary {
  const names = [...new Set([...namesOf(summary).map((name) => name.text), ...flagged])]
  const invented = new Set(flagged)
  const terms = termsOf(summary, names, facts, invented)
  return {
    lines: linesOf(summary, terms),
    checked: names.length,
    found: names.filter((name) => !invented.has(name)).length,
  }
}

function termsOf(summary: string, names: readonly string[], facts: readonly WireFact[], invented: Set<string>): Term[] {
  const terms = new Map<string, Term>()
  const add = (text: string) => {
    const kind = invented.has(text) ? 'flagged' : 'found'
    if (text !== '' && !terms.has(text)) terms.set(text, { text, kind, seqs: seqsOf(text, facts) })
  }
  for (const name of names) add(name)
  for (const fact of facts) if (fact.kind !== 'user' && summary.includes(fact.text)) add(fact.text)
  return [...terms.values()]
}

/** The end of a path counts as the path: `store.ts` for `src/store/store.ts`. */
function seqsOf(name: string, facts: readonly WireFact[]): number[] {
  const isIt = (fact: WireFact) => fact.text === name || (fact.kind === 'file' && fact.text.endsWith(`/${name}`))
  return [...new Set(facts.filter(isIt).flatMap((fact) => fact.seqs))]
}

function linesOf(summary: string, terms: readonly Term[]): SummaryPiece[][] {
  const byText = new Map(terms.map((term) => [term.text, term]))
  // The longest first, so that `src/a.ts` is not found as `a.ts`.
  const texts = terms.map((term) => term.text).toSorted((a, b) => b.length - a.length)
  const lines = summary.split(/\r\n?|\n/)
  if (texts.length === 0) return lines.map(plain)
  const pattern = new RegExp(`(?<![\\w/])(?:${texts.map(escaped).join('|')})(?!\\w)`, 'g')
  return lines.map((line) => split(line, pattern, byText))
}

function split(line: string, pattern: RegExp, byText: ReadonlyMap<string, Term>): SummaryPiece[] {
  const pieces: SummaryPiece[] = []
  let from = 0
  for (const { index, 0: text } of line.matchAll(pattern)) {
    const term = byText.get(text)
    if (term === undefined) continue
    pieces.push(...plain(line.slice(from, index)), term)
    from = index + text.length
  }
  return [...pieces, ...plain(line.slice(from))]
}

function plain(text: string): SummaryPiece[] {
  return text === '' ? [] : [{ text, kind: 'plain', seqs: [] }]
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
