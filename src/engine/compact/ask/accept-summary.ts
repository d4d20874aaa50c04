import type { Index } from '../../../model/facts/log-index.ts'
import { counted } from '../../report/numbers.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** What the log knows of the span that a summary has to stand for, and how the model was asked. */
export type KnownSpan = {
  readonly index: Index
  readonly messages: number
  readonly tokens: number
  /** All that we have told the model beside the conversation. */
  readonly instruction: string
}

/**
 * Takes an answer as a summary only if it speaks of its span. A refusal, an error or an echo of our instruction is told by
 * what it does not name, not by its words: it may be in any language.
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

/** Fewer names or words than these say nothing about what a summary has to name. */
const FEWEST_KNOWN = 4
/** One in ten, but no more than so many: a summary may be about a part of what was done. */
const NEEDED_SHARE = 0.1
const MOST_NAMES = 3
const MOST_WORDS = 5
/** No refusal is that long: a summary of a talk may be in another language than the talk. */
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
    // However many more names there are, these are enough.
    if (named >= MOST_NAMES && names.size >= FEWEST_KNOWN) return true
  }
  if (names.size >= FEWEST_KNOWN && named >= needed(names, MOST_NAMES)) return true
  const words = askedWords(index, instruction)
  const said = wordsOf(summary)
  const asked = hits(words, MOST_WORDS * 2, (word) => said.has(word))
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

/** Names are the same in every language: files, and names as in code. */
function* namesIn({ files, identifiers, seen = [] }: Index): Generator<string> {
  for (const { path } of files) yield path.slice(path.search(/[^/\\]*[/\\]*$/))
  for (const { text } of identifiers) yield text
  for (const { names } of seen) yield* names
}

/** The words of the user's messages, limits and to-dos that are not our own. */
function askedWords({ users, constraints, todos }: Index, instruction: string): Set<string> {
  const items = todos.flatMap((fact) => (fact.kind === 'list' ? fact.items : [{ text: fact.text ?? '' }]))
  const ours = wordsOf(instruction)
  const words = [...users, ...constraints, ...items].flatMap(({ text }) => [...wordsOf(text)])
  return new Set(words.filter((word) => !ours.has(word)))
}

/** Words that may carry meaning: the longer ones, and pairs of characters where a script has no spaces. */
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

/** True when most of a text is ours, word for word. The headings that we ask for do not count. */
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
