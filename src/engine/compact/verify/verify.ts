import { atOnce, type Steps } from '../../../model/steps.ts'
import type { Entry } from '../../../model/types.ts'
import { serialize } from '../../record/serialize.ts'
import { isFound, isWholeName } from './find-name.ts'
import { type Name, namesOf, normalise, type SourceIndex, sourceIndex, type WrittenName } from './source-index.ts'

export type { Name } from './source-index.ts'

/**
 * The source that a summary is checked against. `texts`: everything that the summariser was given or the log has (messages,
 * tool names, arguments as JSON, outputs, an earlier summary), or a function that returns it when it is needed.
 * `facts`: the facts of the index that the summary must mention.
 */
export type VerifySource = {
  readonly texts: readonly string[] | (() => readonly string[])
  readonly facts?: SummaryFacts
}

/** `invented`: named, but not in the source; `missing`: in the index, not mentioned; `checked`: names looked up. */
export type Verification = {
  readonly invented: readonly Name[]
  readonly missing: readonly MissingFact[]
  readonly checked: number
}

/** Checks a summary against its source: which names it invents and which facts it leaves out. Never throws. */
export function verify(summary: string, source: VerifySource): Verification {
  const facts = source.facts ?? {}
  const names = namesOf(summary)
  const index = sourceIndex(names.length === 0 ? [] : textsOf(source))
  const missing = missingFacts(summary, names, facts)
  const invented = withoutMembers(atOnce(missingSteps(names, index))).map(({ kind, text }) => ({ kind, text }))
  return { invented, missing, checked: names.length }
}

/** The names that the source does not have. */
export function* missingSteps(names: readonly WrittenName[], index: SourceIndex): Steps<WrittenName[]> {
  const missing: WrittenName[] = []
  for (const name of names) {
    if (!isFound(name, index)) missing.push(name)
    yield
  }
  return missing
}

function textsOf({ texts, facts = {} }: VerifySource): string[] {
  const given = typeof texts === 'function' ? texts() : texts
  return [...given, ...Object.values(facts).flatMap((more) => more ?? [])]
}

/** An invented `cache` is reported once, without its `cache.get` and `cache.set`. */
export function withoutMembers(names: readonly Name[]): Name[] {
  const texts = new Set(names.map((name) => name.text))
  return names.filter(({ kind, text }) => {
    const owner = text.slice(0, text.indexOf('.'))
    return kind !== 'identifier' || !text.includes('.') || !texts.has(owner)
  })
}

/**
 * All texts of a log in which a summary may have found a name: whole messages, even if they are masked or summarised
 * by now, earlier summaries with their facts, to-dos, and the handles of the entries.
 */
export function logTexts(log: readonly Entry[]): string[] {
  const texts = log.flatMap((entry) =>
    entry.type === 'message' ? [serialize(entry.message, WHOLE), ...entryTexts(entry)] : entryTexts(entry),
  )
  return [...texts, handles(log)]
}

/** The texts of a log that are not messages. */
export function textsBesideMessages(log: readonly Entry[]): string[] {
  return [...log.flatMap(entryTexts), handles(log)]
}

function handles(log: readonly Entry[]): string {
  return log.map(({ seq }) => `#${seq}`).join(' ')
}

const WHOLE = { cutCharacters: 0 }

/** The texts of an entry apart from its message. */
function entryTexts(entry: Entry): string[] {
  switch (entry.type) {
    case 'message':
    case 'checkpoint':
      return (entry.files ?? []).map(({ path }) => path)
    case 'compaction':
      // While a session is open, the messages that these facts came from are not in memory.
      return [entry.summary, JSON.stringify(entry.indexDelta)]
    case 'edit':
      return [entry.summary]
    case 'todo':
      return entry.items.map(({ text }) => text)
    default:
      return []
  }
}

/** Facts from the index that a summary must mention. */
export type SummaryFacts = {
  readonly modifiedFiles?: readonly string[]
  readonly constraints?: readonly string[]
  readonly openTodos?: readonly string[]
  readonly unresolvedErrors?: readonly string[]
}

type MissingFact = { readonly kind: 'file' | 'constraint' | 'todo' | 'error'; readonly text: string }

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
