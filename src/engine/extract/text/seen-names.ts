import { SEEN_CHARACTERS } from '../../../model/facts/log-index.ts'
import { withoutEscapes } from '../../../model/text.ts'
import {
  type Item,
  outputText,
  resultsOf,
  type SeenNames,
  type Seq,
  type ToolCallPart,
  type ToolResultPart,
} from '../../../model/types.ts'
import type { KnownFacts } from '../item-facts.ts'
import { withoutClientNotes } from './client-notes.ts'

/** Without these limits one large file or log would fill the list with its names. */
const ARGUMENT_CHARACTERS = 2_000
const RESULT_CHARACTERS = 6_000
/** A file that was read is searched to its end; for other output the beginning is enough. */
const FILE_CHARACTERS = 40_000
/** Older results are not read: there would be no room for their names. */
const ALL_CHARACTERS = 200_000

/**
 * Names as in code in calls and results, newest first, with the file in which they appeared: a later call is likely to use
 * them again. The search stops when there are more than any index keeps.
 */
export function seenNames(items: readonly Item[], known: KnownFacts = []): SeenNames[] {
  const made = callsIn(items)
  const checked = new Set<string>()
  const found: SeenNames[] = []
  let room = SEEN_CHARACTERS
  const add = (words: readonly string[], from: Omit<SeenNames, 'names'>) => {
    const names = newNames(words, checked)
    if (names.length === 0) return
    for (const name of names) room -= name.length
    const { seq, ...others } = from
    // In the order of the schema, so that the stored bytes stay the same.
    found.push({ seq, names, ...others })
  }
  for (const { at, seq, call } of made.toReversed()) {
    if (room < 0) break
    const path = pathIn(call.input)
    add(wordsOf(call, path, known[at]), path === undefined ? { seq, used: true } : { seq, used: true, path })
  }
  if (room < 0) return found
  const callOf = callFinder(made)
  let left = ALL_CHARACTERS
  for (let i = items.length - 1; i >= 0 && left > 0 && room >= 0; i--) {
    const item = items[i]
    if (item?.kind !== 'message') continue
    for (const result of resultsOf(item.message)) {
      const made = callOf(result.toolCallId)
      const path = pathIn(made?.call.input)
      left -= Math.min(outputText(result.output).length, charactersOf(path))
      add(wordsOf(result, path, known[i]), { seq: item.seq, ...(path === undefined ? {} : { path, call: made?.seq }) })
    }
  }
  return found
}

type MadeCall = { readonly at: number; readonly seq: Seq; readonly call: ToolCallPart }

function callsIn(items: readonly Item[]): MadeCall[] {
  const calls: MadeCall[] = []
  for (const [at, { seq, message }] of items.entries()) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) if (part.type === 'tool-call') calls.push({ at, seq, call: part })
  }
  return calls
}

/** Finds the newest call with an id. Only the newest results are read, so only the newest calls are searched. */
function callFinder(made: readonly MadeCall[]): (id: string) => MadeCall | undefined {
  const calls = new Map<string, MadeCall>()
  let unread = made.length
  return (id) => {
    while (unread > 0 && !calls.has(id)) {
      const next = made[--unread]
      if (next !== undefined && !calls.has(next.call.toolCallId)) calls.set(next.call.toolCallId, next)
    }
    return calls.get(id)
  }
}

/** The names in a call, or in the result of one. */
export function namesIn(part: ToolCallPart | ToolResultPart, call: ToolCallPart): PartNames {
  const path = pathIn(call.input)
  return { part, path, names: newNames(wordsIn(part, path), new Set()) }
}

/** The names in a part of a message that reads or writes the file at `path`. */
export type PartNames = {
  readonly part: ToolCallPart | ToolResultPart
  readonly path: string | undefined
  readonly names: readonly string[]
}

function wordsOf(
  part: ToolCallPart | ToolResultPart,
  path: string | undefined,
  facts: KnownFacts[number],
): readonly string[] {
  const known = facts?.names.find((one) => one.part === part && one.path === path)
  return known?.names ?? wordsIn(part, path)
}

function wordsIn(part: ToolCallPart | ToolResultPart, path: string | undefined): readonly string[] {
  const words: string[] = []
  if (part.type === 'tool-call') addArgumentWords(part.input, 0, words)
  else addCodeWords(withoutEscapes(withoutClientNotes(outputText(part.output)).slice(0, charactersOf(path))), words)
  return words
}

function charactersOf(path: string | undefined): number {
  return path === undefined ? RESULT_CHARACTERS : FILE_CHARACTERS
}

/** Arguments may be nested deeply or contain a cycle; the useful ones are near the top. */
const DEEPEST = 4

function addArgumentWords(value: unknown, depth: number, words: string[]): void {
  if (typeof value === 'string') return addCodeWords(value, words, ARGUMENT_CHARACTERS)
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return
  for (const inner of Object.values(value)) addArgumentWords(inner, depth + 1, words)
}

/** The arguments in which tools take the path of a file. */
const PATH_ARGUMENTS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path'] as const

function pathIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  for (const name of PATH_ARGUMENTS) {
    const path = (input as Readonly<Record<string, unknown>>)[name]
    if (typeof path === 'string') return path.length <= LONGEST_PATH ? path : undefined
  }
  return undefined
}

const LONGEST_PATH = 300

/** The names in a text, each once. */
export function codeNamesIn(text: string): string[] {
  const words: string[] = []
  addCodeWords(text, words)
  return newNames(words, new Set())
}

/** The names among words that were not checked before: in a session the same words occur thousands of times. */
function newNames(words: readonly string[], checked: Set<string>): string[] {
  const names: string[] = []
  for (const word of words) {
    if (checked.has(word)) continue
    checked.add(word)
    if (isDistinctive(word)) names.push(word)
  }
  return names
}

/** True for a word that is not from a natural language: a capital inside, an underscore, a digit after a letter, two hyphens, a dot. */
function isDistinctive(word: string): boolean {
  return /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[a-z]\d|\w-\w+-\w|\w\.[A-Za-z]/.test(word) && !isOpaque(word)
}

/** True for a hash, a key, or a piece of base64: people do not give such names. */
function isOpaque(word: string): boolean {
  if (HASH.test(word)) return true
  const runs = word.length < SHORTEST_KEY ? [] : (word.match(RUN) ?? [])
  return runs.length > word.length / LETTERS_PER_RUN
}

const HASH = /^[0-9a-f-]+$/
const RUN = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g
const SHORTEST_KEY = 12
const LETTERS_PER_RUN = 2.4

/**
 * Adds the words at the beginning of a text that may be names as in code: a word with its members, or the name of a
 * file. A word before a slash is a folder, a word with a hyphen may be one, and part of a longer word does not count. Words
 * that look like ordinary language are left out. This is one loop, because a pattern would create a string for every word of
 * a session, and most of them are not names.
 */
export function addCodeWords(text: string, words: string[], characters = text.length): void {
  const kinds = KINDS
  const end = Math.min(text.length, characters)
  for (let at = 0; at < end; ) {
    const first = kinds[text.charCodeAt(at)] ?? 0
    const start = at++
    if (first === 0) continue
    let rest = 0
    for (; at < end; at++) {
      const kind = kinds[text.charCodeAt(at)] ?? 0
      if (kind === 0) break
      rest |= kind
    }
    // A plain word without members.
    if (rest <= LETTER && (at === end || text.charCodeAt(at) !== DOT)) continue
    const length = at - start
    if (length < SHORTEST || length > LONGEST || first === HYPHEN || isPartOfLonger(text, start)) continue
    const wordEnd = at
    for (let members = 0; members < MOST_MEMBERS; members++) at = memberEnd(text, at, end)
    if (rest > LETTER || at > wordEnd) words.push(text.slice(start, at))
  }
}

const SHORTEST = 3
const LONGEST = 80
const MOST_MEMBERS = 3
const LONGEST_MEMBER = 41

/** A word counts as a name if it has a kind greater than `LETTER`. It cannot begin with a hyphen. */
const LETTER = 1
const CAPITAL = 2
const DIGIT = 4
const UNDERSCORE = 8
const HYPHEN = 16

const [DOT, STAR, BACKSLASH] = [46, 42, 92]

function isPartOfLonger(text: string, start: number): boolean {
  if (start === 0) return false
  const before = text.charCodeAt(start - 1)
  return before === DOT || before === STAR || before === BACKSLASH
}

/** The end of the member at `place`, including its dot; `place` itself if there is none. */
function memberEnd(text: string, place: number, end: number): number {
  if (place + 1 >= end || text.charCodeAt(place) !== DOT) return place
  let at = place + 1
  if (((KINDS[text.charCodeAt(at)] ?? 0) & (LETTER | CAPITAL)) === 0) return place
  while (at < end && (KINDS[text.charCodeAt(at)] ?? 0) !== 0) at++
  return at - place - 1 > LONGEST_MEMBER ? place : at
}

/** Has an entry for every character code, so that no look-up needs a bounds check. */
const KINDS = new Uint8Array(0x10000)
for (let code = 0; code < 128; code++) KINDS[code] = kindOf(String.fromCharCode(code))

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return LETTER
  if (/[A-Z]/.test(character)) return CAPITAL
  if (/\d/.test(character)) return DIGIT
  if (character === '_') return UNDERSCORE
  return character === '-' ? HYPHEN : 0
}
