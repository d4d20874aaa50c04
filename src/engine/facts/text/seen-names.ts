import type { Seq } from '../../../model/ids.ts'
import type { SeenNames } from '../../../model/log-index.ts'
import { SEEN_CHARACTERS } from '../../../model/merge-indexes.ts'
import { callsOf, outputText, resultsOf, type ToolCallPart, type ToolResultPart } from '../../../model/message.ts'
import type { Item } from '../../../model/view.ts'
import { withoutEscapes } from '../../text/without-escapes.ts'
import { withoutClientNotes } from './client-notes.ts'

/** A file that was written whole, or a log of megabytes, would stand for all that is in it. */
const ARGUMENT_CHARACTERS = 2_000
const RESULT_CHARACTERS = 6_000
/** A file that was read has names to its end; of other output the beginning says what it is. */
const FILE_CHARACTERS = 40_000
/** Older results are not read: their names would find no room. */
const ALL_CHARACTERS = 200_000

/**
 * Names as in code that calls were given and results showed, newest first, with the file that they were seen in: a later
 * call is likely to use them again. They are looked for only until there are more than any index keeps.
 */
export function seenNames(items: readonly Item[]): SeenNames[] {
  const made: { readonly seq: Seq; readonly call: ToolCallPart }[] = []
  for (const { seq, message } of items) for (const call of callsOf(message)) made.push({ seq, call })
  const looked = new Set<string>()
  const found: SeenNames[] = []
  let room = SEEN_CHARACTERS
  const add = (words: readonly string[], { seq, ...from }: Omit<SeenNames, 'names'>) => {
    const names = newNames(words, looked)
    for (const name of names) room -= name.length
    // In the order of the schema, so that what was stored is the same to the byte.
    if (names.length > 0) found.push({ seq, names, ...from })
  }
  for (const { seq, call } of made.toReversed()) {
    if (room < 0) break
    const from = pathIn(call.input)
    add(wordsOf(call, from.path), { seq, used: true, ...from })
  }
  if (room < 0) return found
  const calls = new Map(made.map((one) => [one.call.toolCallId, one]))
  let left = ALL_CHARACTERS
  for (let i = items.length - 1; i >= 0 && left > 0 && room >= 0; i--) {
    const item = items[i]
    if (item?.kind !== 'message') continue
    for (const result of resultsOf(item.message)) {
      const made = calls.get(result.toolCallId)
      const { path } = pathIn(made?.call.input)
      left -= Math.min(outputText(result.output).length, charactersOf(path))
      add(wordsOf(result, path), { seq: item.seq, ...(path === undefined ? {} : { path, call: made?.seq }) })
    }
  }
  return found
}

/** Finds the names in a call, or in the result of one, now, while nobody waits for them: neither ever changes. */
export function noteSeenNames(part: ToolCallPart | ToolResultPart, call: ToolCallPart): void {
  const { path } = pathIn(call.input)
  noted.set(part, { path, names: newNames(wordsIn(part, path), new Set()) })
}

const noted = new WeakMap<ToolCallPart | ToolResultPart, { path: string | undefined; names: readonly string[] }>()

function wordsOf(part: ToolCallPart | ToolResultPart, path: string | undefined): readonly string[] {
  const known = noted.get(part)
  return known !== undefined && known.path === path ? known.names : wordsIn(part, path)
}

function wordsIn(part: ToolCallPart | ToolResultPart, path: string | undefined): readonly string[] {
  const text =
    part.type === 'tool-call'
      ? stringsIn(part.input).map(argumentHead).join('\n')
      : withoutEscapes(withoutClientNotes(outputText(part.output)).slice(0, charactersOf(path)))
  return text.match(WORD) ?? []
}

function charactersOf(path: string | undefined): number {
  return path === undefined ? RESULT_CHARACTERS : FILE_CHARACTERS
}

function argumentHead(text: string): string {
  return text.slice(0, ARGUMENT_CHARACTERS)
}

/** Arguments may be deep or go round in a circle; what is told of a call stands near its top. */
const DEEPEST = 4

function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return []
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1))
}

const PATHS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path']

function pathIn(input: unknown): { path?: string } {
  if (typeof input !== 'object' || input === null) return {}
  for (const name of PATHS) {
    const path: unknown = Reflect.get(input, name)
    if (typeof path === 'string') return path.length > 300 ? {} : { path }
  }
  return {}
}

/** The names in a text, each once. */
export function codeNamesIn(text: string): string[] {
  return newNames(text.match(WORD) ?? [], new Set())
}

/** The names among words that were not looked at before: in a session the same ones are said thousands of times. */
function newNames(words: readonly string[], looked: Set<string>): string[] {
  const names: string[] = []
  for (const word of words) {
    if (looked.has(word)) continue
    looked.add(word)
    if (isTelling(word)) names.push(word)
  }
  return names
}

/** A word as in code with its members, or the name of a file: what stands before a slash is a folder, what has a hyphen may be one. Half of a longer word is none. */
const WORD = /(?<![\w*\\.-])[A-Za-z_\d][\w-]{2,79}(?![\w-])(?:\.[A-Za-z][\w-]{0,40}){0,3}(?![\w-])/g

/** No word of a language: a capital inside, an underscore, a digit after a letter, two hyphens, a dot. */
function isTelling(word: string): boolean {
  return /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[a-z]\d|\w-\w+-\w|\w\.[A-Za-z]/.test(word) && !isOpaque(word)
}

/** A hash, a key, a piece of base64: its letters come in no order that a person gives names in. */
function isOpaque(word: string): boolean {
  if (HASH.test(word)) return true
  const runs = word.length < SHORTEST_KEY ? [] : (word.match(RUN) ?? [])
  return runs.length > word.length / LETTERS_PER_RUN
}

const HASH = /^[0-9a-f-]+$/
const RUN = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g
const SHORTEST_KEY = 12
const LETTERS_PER_RUN = 2.4
