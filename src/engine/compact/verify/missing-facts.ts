import { isWholeName } from './find-name.ts'
import { type Name, normalise, type SourceIndex, sourceIndex } from './source-index.ts'

/** Facts from the index that a summary must mention. */
export type SummaryFacts = {
  readonly modifiedFiles?: readonly string[]
  readonly constraints?: readonly string[]
  readonly openTodos?: readonly string[]
  readonly unresolvedErrors?: readonly string[]
}

export type MissingFact = { readonly kind: 'file' | 'constraint' | 'todo' | 'error'; readonly text: string }

/** The facts that a summary does not mention; `names` are the names in the summary. */
export function missingFacts(summary: string, names: readonly Name[], facts: SummaryFacts): MissingFact[] {
  const words = significantWords(summary)
  const missing = (kind: MissingFact['kind'], texts: readonly string[] = []) =>
    texts
      .filter((text) => !wordings(kind, text).some((wording) => isMentioned(wording, words)))
      .map((text) => ({ kind, text }))
  return [
    ...missingFiles(sourceIndex([summary, ...names.map((name) => name.text)]), facts.modifiedFiles ?? []),
    ...missing('constraint', facts.constraints),
    ...missing('todo', facts.openTodos),
    ...missing('error', facts.unresolvedErrors),
  ]
}

/** A file is mentioned by its last two segments, or by its name alone if no other modified file has that name. */
function missingFiles(summary: SourceIndex, paths: readonly string[]): MissingFact[] {
  const uses = new Map<string, number>()
  for (const path of new Set(paths)) uses.set(lastSegments(path, 1), (uses.get(lastSegments(path, 1)) ?? 0) + 1)
  return paths
    .filter((path) => path.trim() !== '')
    .filter((path) => !summary.has(lastSegments(path, uses.get(lastSegments(path, 1)) === 1 ? 1 : 2), isWholeName))
    .map((text) => ({ kind: 'file', text }))
}

function lastSegments(path: string, count: number): string {
  const segments = normalise(path).split('/')
  return segments
    .filter((segment) => segment !== '')
    .slice(-count)
    .join('/')
}

const MENTIONED_SHARE = 0.6
const MAX_WORDS = 30
const HEAD_WORDS = 12
const MIN_PASSAGE_WORDS = 20
const MAX_ERROR_LINES = 20

/** The words by which a fact may be mentioned: all of a short one, the first of a long one, one line of an error. */
function wordings(kind: MissingFact['kind'], fact: string): string[][] {
  const words = significantWords(fact)
  const whole = words.length > MAX_WORDS ? [words.slice(0, MAX_WORDS), words.slice(0, HEAD_WORDS)] : [words]
  if (kind !== 'error') return whole
  const lines = fact
    .split('\n')
    .filter((line) => ERROR_LINE.test(line))
    .slice(0, MAX_ERROR_LINES)
  return [...whole, ...lines.map(significantWords).filter((line) => line.length > 2)]
}

const ERROR_LINE = /error|fail|exception|panic|cannot|can't|not found|undefined|denied|expected|invalid|missing/i

/** True if one passage of the summary has most of the words. A fact without significant words cannot be missing. */
function isMentioned(fact: readonly string[], summary: readonly string[]): boolean {
  const wanted = new Set(fact)
  if (wanted.size === 0) return true
  const passage = Math.max(MIN_PASSAGE_WORDS, wanted.size * 4)
  const counts = new Map<string, number>()
  for (const [i, word] of summary.entries()) {
    if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    const left = summary[i - passage]
    const uses = left === undefined ? 0 : (counts.get(left) ?? 0)
    if (left !== undefined && uses === 1) counts.delete(left)
    else if (left !== undefined && uses > 1) counts.set(left, uses - 1)
    if (counts.size >= wanted.size * MENTIONED_SHARE) return true
  }
  return false
}

/** The words that carry meaning, cut to a stem so that `tested` and `tests` are the same. */
function significantWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => (word.length > 2 || /\d/.test(word)) && !STOP_WORDS.has(word))
    .map((word) => stem(word))
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, '').slice(0, 8) : word
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  `the and for that this with from are was were been have has had not but you your our their its his her she they them then than
  when what which who how why can could should would will shall may might must just also only very all any some each other into
  onto over under about after before because there here please make sure use using does did done let lets get got now still`.split(
    /\s+/,
  ),
)
