import type { Index } from '../../../model/types.ts'
import { counted } from '../../report/numbers.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** The facts that the log has about the span of a summary, and how the model was asked. */
export type KnownSpan = {
  readonly index: Index
  readonly messages: number
  readonly tokens: number
  /** Everything that we sent to the model apart from the conversation. */
  readonly instruction: string
}

/**
 * Accepts an answer as a summary only if it is about its span. A refusal, an error or an echo of our instruction may be in
 * any language, so we recognise it by the names that it does not mention.
 */
export function acceptSummary(summary: string, summaryTokens: number, known: KnownSpan): { ok: true } | Refusal {
  if (isEcho(summary, known.instruction)) return refuse('echo', 'the model repeats its instruction')
  if (summaryTokens < Math.min(LEAST_TOKENS, known.tokens * LEAST_SHARE)) {
    return refuse('too-short', `the answer is far too short for ${counted(known.messages, 'message')}`)
  }
  if (!speaksOf(summary, summaryTokens, known)) {
    return refuse('off-topic', 'the answer names next to nothing of what was asked and done')
  }
  return { ok: true }
}

/** No summary of a long span is shorter than two sentences. */
const LEAST_TOKENS = 60
const LEAST_SHARE = 0.001

/** With fewer names or words than these, we cannot judge whether a summary is about its span. */
const FEWEST_KNOWN = 4
/** One in ten, up to these maximums: a summary may be about a part of the work. */
const NEEDED_SHARE = 0.1
const MOST_NAMES = 3
const MOST_WORDS = 5
/** No refusal is this long. A long answer without the user's words may simply be in another language. */
const LONG_TOKENS = 200

function speaksOf(summary: string, summaryTokens: number, { index, instruction }: KnownSpan): boolean {
  const text = summary.toLowerCase()
  const names = new Set<string>()
  let named = 0
  for (const written of namesIn(index)) {
    const name = written.toLowerCase()
    if (name.length <= 3 || names.has(name)) continue
    names.add(name)
    if (text.includes(name)) named++
    // These are enough, however many names follow.
    if (named >= MOST_NAMES && names.size >= FEWEST_KNOWN) return true
  }
  if (names.size >= FEWEST_KNOWN && named >= needed(names, MOST_NAMES)) return true
  const words = askedWords(index, instruction)
  const summaryWords = wordsOf(summary)
  const asked = hits(words, MOST_WORDS * 2, (word) => summaryWords.has(word))
  const neededWords = needed(words, MOST_WORDS)
  if (names.size >= FEWEST_KNOWN) return asked >= neededWords * 2
  return words.size < FEWEST_KNOWN || named > 0 || asked >= neededWords || summaryTokens >= LONG_TOKENS
}

function needed(known: ReadonlySet<string>, most: number): number {
  return Math.max(1, Math.min(most, Math.ceil(known.size * NEEDED_SHARE)))
}

function hits(known: ReadonlySet<string>, most: number, isHit: (word: string) => boolean): number {
  let count = 0
  for (const word of known) if (isHit(word) && ++count === most) break
  return count
}

/** Names of files and names as in code: they are the same in every language. */
function* namesIn({ files, identifiers, seen = [] }: Index): Generator<string> {
  for (const { path } of files) yield path.slice(path.search(/[^/\\]*[/\\]*$/))
  for (const { text } of identifiers) yield text
  for (const { names } of seen) yield* names
}

/** The words of the user's messages, constraints and to-dos, without the words of our instruction. */
function askedWords({ users, constraints, todos }: Index, instruction: string): Set<string> {
  const items = todos.flatMap((fact) => (fact.kind === 'list' ? fact.items : [{ text: fact.text ?? '' }]))
  const ours = wordsOf(instruction)
  const words = [...users, ...constraints, ...items].flatMap(({ text }) => [...wordsOf(text)])
  return new Set(words.filter((word) => !ours.has(word)))
}

/** Words that may carry meaning: the longer ones, or pairs of characters if the script has no spaces. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [run] of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (UNSPACED.test(run)) for (let i = 0; i + 1 < run.length; i++) words.add(run.slice(i, i + 2))
    else if (run.length >= LEAST_LETTERS) words.add(run)
  }
  return words
}

const LEAST_LETTERS = 5
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u

/** True if most of the text is a copy of our instruction. The headings that we ask for do not count. */
function isEcho(summary: string, instruction: string): boolean {
  const ours = new Set(instruction.split('\n').map((line) => line.trim()))
  const lines = summary.split('\n').filter((line) => !(line.startsWith('#') && ours.has(line.trim())))
  const runs = runsOf(lines.join('\n'))
  const known = new Set(runsOf(instruction))
  const repeated = runs.filter((run) => known.has(run)).length
  return repeated > 0 && repeated >= runs.length / 2
}

const RUN_WORDS = 4

function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.slice(RUN_WORDS - 1).map((_, i) => words.slice(i, i + RUN_WORDS).join(' '))
}
