import { REDACTED } from '../../engine/context/view/rewrite-message.ts'
import type { Entry } from '../../model/types.ts'

/** Finds the text of an entry in other texts. */
export type SameText = {
  /** True when the text repeats all of the entry's text, or a word of it that looks like a secret. */
  readonly isIn: (text: string) => boolean
  /** True when the title of a session was made from the entry, or repeats a secret of it. */
  readonly isTitle: (title: string) => boolean
  /** The text with a marker instead of everything that it repeats. */
  readonly without: (text: string) => string
}

/**
 * Finds the text of an entry elsewhere. We do not know which part of it is a secret. So the words count that nobody writes by
 * chance: long ones, and those of letters and digits.
 */
export function sameTextAs(entry: Entry): SameText {
  const own = stringsIn(contentOf(entry)).filter((text) => !text.includes(REDACTED))
  const whole = own.length === 1 ? (own[0]?.trim() ?? '') : ''
  const words = [...new Set([...own, ...rawIn(entry)].flatMap(distinctiveWords))]
  const known = new Set(words)
  const isIn = (text: string) => {
    if (whole.length >= SHORTEST_WHOLE && hasWhole(text, whole)) return true
    // Searching for each word also finds it inside longer words, but takes long with many words.
    if (words.length <= MOST_WORDS) return words.some((word) => text.includes(word))
    return distinctiveWords(text).some((word) => known.has(word))
  }
  const without = (text: string) => {
    const repeated = words.length <= MOST_WORDS ? words : distinctiveWords(text).filter((word) => known.has(word))
    const longestFirst = repeated.toSorted((a, b) => b.length - a.length)
    const all = whole.length >= SHORTEST_WHOLE ? [whole, ...longestFirst] : longestFirst
    return all.reduce((rest, each) => rest.replaceAll(each, REDACTED), text)
  }
  const lines = () => own.flatMap((text) => text.split('\n').map(plain))
  return { isIn, without, isTitle: (title) => isIn(title) || lines().some((line) => isTitleOf(title, line)) }
}

/** The parts of a redacted entry that are remembered as hashes: its distinctive words, and its text if it has only one. */
export function redactedMarks(entry: Entry): string[] {
  const own = stringsIn(contentOf(entry)).filter((text) => !text.includes(REDACTED))
  const whole = own.length === 1 ? plain(own[0] ?? '') : ''
  return [...[...own, ...rawIn(entry)].flatMap(distinctiveWords), ...(whole.length >= SHORTEST_WHOLE ? [whole] : [])]
}

/** All that an entry has of what another may be known by: words, lines and texts. */
export function marksInEntry(entry: Entry): string[] {
  return [...stringsIn(contentOf(entry)), ...rawIn(entry)].flatMap(marksInText)
}

export function marksInText(text: string): string[] {
  return [...distinctiveWords(text), ...text.split('\n').map(plain), plain(text)]
}

/** All texts of a value, such as a message or a fact. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

const SHORTEST_WHOLE = 8
const MOST_WORDS = 200
/** The fewest characters of a title that was cut. */
const CUT_TITLE = 40

/** Names and ids, such as the id of a call, which is also in its result. They are not content. */
const NO_CONTENT: ReadonlySet<string> = new Set(['type', 'role', 'id', 'toolCallId', 'toolName', 'mediaType'])

function contentOf(entry: Entry): unknown {
  return entry.type === 'message' ? withoutNames(entry.message) : withoutNames({ ...entry, at: 0 })
}

/** The raw output of a command may have more than the message. */
function rawIn(entry: Entry): string[] {
  return entry.type === 'message' && entry.raw !== undefined ? [entry.raw] : []
}

function withoutNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNames)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (NO_CONTENT.has(key) ? [] : [[key, withoutNames(each)]])),
  )
}

/** True when the text has the other one, not only as a part of longer words. */
function hasWhole(text: string, whole: string): boolean {
  for (let at = text.indexOf(whole); at !== -1; at = text.indexOf(whole, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(`${text[at - 1] ?? ''}${text[at + whole.length] ?? ''}`)) return true
  }
  return false
}

/** With and without signs, so that a password is found in `user:password@host` and a password of signs too. */
const WORDS = [/[\p{L}\p{N}][\p{L}\p{N}_.+-]*[\p{L}\p{N}]/gu, /[^\s"'`\\/=:,;()[\]{}<>|]+/gu]

function distinctiveWords(text: string): string[] {
  return WORDS.flatMap((pattern) => text.match(pattern) ?? []).filter(isDistinctive)
}

function isDistinctive(word: string): boolean {
  const { length } = word
  if (length < 8 || length > 2_000) return false
  const hasDigit = /\p{N}/u.test(word)
  return (hasDigit && (length >= 12 || /\p{L}/u.test(word))) || length >= 24
}

function isTitleOf(title: string, line: string): boolean {
  const made = plain(title.replace(/(?: \(fork\))+$/, ''))
  const start = made.replace(/…$/, '').trim()
  if (start === '' || line === '') return false
  return line === start || ((start !== made || start.length >= CUT_TITLE) && line.startsWith(start))
}

/** Titles are made of one line, without control characters. */
function plain(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
