import type { Seq } from '../../model/ids.ts'
import type { SeenNames } from '../../model/log-index.ts'
import { callsOf, outputText, resultsOf, type ToolCallPart } from '../../model/message.ts'
import type { Item } from '../../model/view.ts'

/** A file that was written whole, or a log of megabytes, would stand for all that is in it. */
const ARGUMENT_CHARACTERS = 2_000
const RESULT_CHARACTERS = 12_000
/** What is older is not looked through: it would find no room. */
const ALL_CHARACTERS = 200_000

/**
 * Names as in code that calls were given and results showed, newest first, with the file that they were seen in: a later
 * call is likely to use them again. Results are read only until there are enough.
 */
export function seenNames(items: readonly Item[]): SeenNames[] {
  const calls = new Map<string, ToolCallPart>()
  for (const item of items) for (const call of callsOf(item.message)) calls.set(call.toolCallId, call)
  const known = new Set<string>()
  const newest = items.filter(({ kind }) => kind === 'message').toReversed()
  const found: SeenNames[] = []
  const add = (seq: Seq, text: string, call: ToolCallPart | undefined, used: boolean) => {
    const names = namesIn(text).filter((name) => !known.has(name))
    if (names.length === 0) return
    for (const name of names) known.add(name)
    found.push({ seq, names, ...(used ? { used } : {}), ...pathIn(call?.input) })
  }
  for (const { seq, message } of newest)
    for (const call of callsOf(message)) add(seq, stringsIn(call.input).map(argumentHead).join('\n'), call, true)
  let left = ALL_CHARACTERS
  for (const { seq, message } of newest) {
    if (left <= 0) break
    for (const { toolCallId, output } of resultsOf(message)) {
      const text = outputText(output).slice(0, RESULT_CHARACTERS)
      left -= text.length
      add(seq, text, calls.get(toolCallId), false)
    }
  }
  return found
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
  const fields = new Map<string, unknown>(Object.entries(input))
  const path = PATHS.map((name) => fields.get(name)).find((value) => typeof value === 'string')
  return path === undefined || path.length > 300 ? {} : { path }
}

/** The names in a text, each once. */
export function namesIn(text: string): string[] {
  return [...new Set(text.match(WORD) ?? [])].filter(isTelling)
}

/** A word as in code, or the name of a file: what stands before a slash is a folder, what has a hyphen may be one. */
const WORD = /(?<![\w*\\-])[A-Za-z_][\w-]{3,59}(?:\.[a-z]{1,5}(?![\w(]))?/g

/** No word of a language: a capital inside, an underscore, a digit after a letter, two hyphens, the ending of a file. */
function isTelling(word: string): boolean {
  return /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[a-z]\d|\w-\w+-\w|\.[a-z]+$/.test(word) && !HASH.test(word)
}

const HASH = /^[0-9a-f-]+$/
