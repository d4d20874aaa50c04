import type { Index } from '../../../model/types.ts'
import { counted } from '../../report/numbers.ts'
import { UNSPACED } from '../verify/source-index.ts'
import type { SummaryAnswer } from './call-model.ts'

/** The facts that the log has about the span of a summary, and how the model was asked. */
export type KnownSpan = {
  readonly index: Index
  readonly messages: number
  readonly tokens: number
  readonly names: NameCounts
  /** Everything that we sent to the model apart from the conversation. */
  readonly instruction: string
}

/** How many names of a summary its session contains, and how many it does not; both are 0 if nobody has looked. */
export type NameCounts = { readonly found: number; readonly missing: number }

/**
 * Accepts an answer as a summary only if it is about its span. A refusal, an error or an echo of our instruction may be in
 * any language, so we recognise it by the names that it does not mention. Most names in a summary of something else occur
 * nowhere in this session. A few names decide nothing: then we look for names and words of the span.
 */
export function acceptSummary(summary: string, summaryTokens: number, known: KnownSpan): { ok: true } | Refusal {
  if (isEcho(summary, known.instruction)) return refuse('echo', 'the model repeats its instruction')
  if (summaryTokens < Math.min(LEAST_TOKENS, known.tokens * LEAST_SHARE)) {
    return refuse('too-short', `the answer is far too short for ${counted(known.messages, 'message')}`)
  }
  const { found, missing } = known.names
  if (missing - found >= FEWEST_KNOWN && hasNames(known.index)) {
    return refuse(
      'off-topic',
      `most names in the answer occur nowhere in this session (${missing} of ${found + missing})`,
    )
  }
  if (found - missing < FEWEST_KNOWN && !speaksOf(summary, summaryTokens, known)) {
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
  let names = 0
  let named = 0
  for (const name of namesIn(index)) {
    names++
    if (text.includes(name)) named++
    // These are enough, however many names follow.
    if (named >= MOST_NAMES && names >= FEWEST_KNOWN) return true
  }
  if (names >= FEWEST_KNOWN && named >= needed(names, MOST_NAMES)) return true
  const words = askedWords(index, instruction)
  const summaryWords = wordsOf(summary)
  const asked = hits(words, MOST_WORDS * 2, (word) => summaryWords.has(word))
  const neededWords = needed(words.size, MOST_WORDS)
  if (names >= FEWEST_KNOWN) return asked >= neededWords * 2
  return words.size < FEWEST_KNOWN || named > 0 || asked >= neededWords || summaryTokens >= LONG_TOKENS
}

function needed(known: number, most: number): number {
  return Math.max(1, Math.min(most, Math.ceil(known * NEEDED_SHARE)))
}

function hits(known: ReadonlySet<string>, most: number, isHit: (word: string) => boolean): number {
  let count = 0
  for (const word of known) if (isHit(word) && ++count === most) break
  return count
}

function hasNames(index: Index): boolean {
  let names = 0
  for (const _ of namesIn(index)) if (++names === FEWEST_KNOWN) return true
  return false
}

/** Names of files and names as in code, each once, in lower case: they are the same in every language. */
function* namesIn(index: Index): Generator<string> {
  const names = new Set<string>()
  for (const written of writtenNames(index)) {
    const name = written.toLowerCase()
    if (name.length <= 3 || names.has(name)) continue
    names.add(name)
    yield name
  }
}

function* writtenNames({ files, identifiers }: Index): Generator<string> {
  for (const { path } of files) yield path.slice(path.search(/[^/\\]*[/\\]*$/))
  for (const { text } of identifiers) yield text
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

export type AcceptedSummary = { readonly ok: true; readonly summary: string }

/** Accepts a model's answer as a summary only if it is one: finished, not cut off, not empty, not only analysis. */
export function acceptAnswer(answer: SummaryAnswer): AcceptedSummary | Refusal {
  if (answer.error !== undefined) return refuse('failed', answer.error)
  if (answer.calledTool !== undefined) {
    return refuse('called-a-tool', `the model called the tool ${answer.calledTool} instead of summarising`)
  }
  if (answer.text.trim() === '') return refuse('empty', 'the model returned an empty summary')
  if (answer.finish === 'length') return refuse('truncated', 'the summary was cut off at the output limit')
  if (answer.finish === 'other') return refuse('failed', 'the model stopped before the summary was finished')
  const summary = stripAnalysis(answer.text)
  if (summary === '') return refuse('only-analysis', 'the model returned only its analysis')
  if (isRepetitive(summary)) return refuse('repetitive', 'the model repeats itself')
  return { ok: true, summary }
}

/** True if the model got stuck: the text is long, and most of it repeats the same few lines or words. */
function isRepetitive(text: string): boolean {
  if (text.length < 1_000) return false
  const lines = text.split('\n').map((line) => line.trim())
  return mostlySame(lines, 20) || mostlySame(text.split(/\s+/), 200)
}

/** True for at least `least` pieces of which fewer than one in ten is different. */
function mostlySame(pieces: readonly string[], least: number): boolean {
  const nonEmpty = pieces.filter((piece) => piece !== '')
  return nonEmpty.length >= least && new Set(nonEmpty).size * 10 < nonEmpty.length
}

/** The summary without its `<analysis>` blocks. A block that is never closed does not swallow the summary after it. */
export function stripAnalysis(text: string): string {
  let kept = ''
  let from = 0
  const tags = tagsIn(text)
  for (const [i, tag] of tags.entries()) {
    if (tag.closes || tag.start < from) continue
    // If the next block begins before this one is closed, this one was never closed.
    const end = tags.slice(i + 1).find((next) => next.closes || next.startsLine)
    if (!opensBlock(text, tag, end)) continue
    kept += text.slice(from, tag.start)
    if (end?.closes !== true) kept += afterAnalysis(text.slice(tag.end, end?.start))
    from = end === undefined ? text.length : end.closes ? end.end : end.start
  }
  return withoutSummaryTag(kept + text.slice(from))
}

type Tag = { readonly closes: boolean; readonly startsLine: boolean; readonly start: number; readonly end: number }

/** The tags of a text. A tag in backticks is only mentioned, so it does not count; but an analysis may end in a name in backticks. */
function tagsIn(text: string): Tag[] {
  const tags = text.matchAll(/(?:(?<!`)<|<(\/))analysis(?:\s[^<>]*)?>(?!`)/gi)
  return [...tags].map(({ 0: tag, 1: slash, index: start }) => ({
    closes: slash === '/',
    startsLine: text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '',
    start,
    end: start + tag.length,
  }))
}

/** A sentence may mention the tag. In the middle of a line it opens a block only if the block ends on that line or on a line of its own. */
function opensBlock(text: string, tag: Tag, end: Tag | undefined): boolean {
  if (tag.startsLine) return true
  return end?.closes === true && (end.startsLine || !text.slice(tag.end, end.start).includes('\n'))
}

function withoutSummaryTag(text: string): string {
  return text
    .trim()
    .replace(/^<\/?(?:summary|analysis)>/i, '')
    .replace(/<\/summary>$/i, '')
    .trim()
}

/** After an analysis that was not closed, the summary starts at its tag, or else at the first heading, or else at once. */
function afterAnalysis(text: string): string {
  const tag = text.search(/<summary>/i)
  if (tag !== -1) return text.slice(tag)
  const heading = text.search(/^#{1,6} /m)
  return heading === -1 ? text : text.slice(heading)
}

/** Why a summary or a context is not accepted. */
export type RefusalCode =
  /** No model was asked, so none has failed. */
  | 'not-asked'
  | 'failed'
  | 'truncated'
  | 'called-a-tool'
  | 'empty'
  | 'only-analysis'
  | 'repetitive'
  /** Mostly a copy of our instruction. */
  | 'echo'
  | 'too-short'
  /** It names too few of the facts that the log has about the span. */
  | 'off-topic'
  | 'not-smaller'
  | 'over-target'
  /** Over the target even with almost nothing left of the span. */
  | 'floor-too-large'
  | 'invalid'

export type Refusal = { readonly ok: false; readonly refusal: RefusalCode; readonly reason: string }

export function refuse(refusal: RefusalCode, reason: string): Refusal {
  return { ok: false, refusal, reason }
}
