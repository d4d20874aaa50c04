import { PithError } from '../model/problems/errors.ts'
import { isInStopWord, LONGEST_PIECE, type SplitWord, saysNothing, splitWords, termOf } from './terms.ts'

/** A search as it was typed: words in any order, quoted phrases, and filters. */
export type Query = {
  readonly words: readonly QueryWord[]
  /** Texts that a hit contains as they are written. Case does not count. */
  readonly phrases: readonly string[]
  readonly filters: Filters
}

export type QueryWord = {
  /** In lower case: what longer words may contain. */
  readonly text: string
  readonly term: string
  /**
   * `needed`: no hit lacks it; `begun`: the same, and it may be a part of a longer word. `bonus`: it adds to the rank, but a
   * hit by it alone is none.
   */
  readonly rule: 'any' | 'needed' | 'begun' | 'bonus'
  /** Of a word that is begun: the text that a very long name has instead, because it keeps its hyphens. */
  readonly hyphenated?: string
}

export type Filters = {
  readonly file?: string
  readonly tool?: string
  readonly role?: 'user' | 'assistant' | 'tool'
  readonly is?: 'error' | 'edit'
  /** In seconds. */
  readonly before?: number
  readonly after?: number
  readonly session?: string
}

/** The most words of a query that are searched for: a pasted page does not hold up the others. */
const MOST_WORDS = 64
const MOST_CHARACTERS = 10_000
/** Looking for a text takes up to its length times that of the other. */
const LONGEST_PHRASE = 100

/** Reads a query. Any text is one; only a filter can be wrong. */
export function readQuery(typed: string): Query {
  const phrases: string[] = []
  const filters: { -readonly [K in keyof Filters]: Filters[K] } = {}
  const rest = typed
    .slice(0, MOST_CHARACTERS)
    .replaceAll('\0', '')
    .replace(PHRASE, (_, phrase: string) => {
      if (phrase.trim() !== '') phrases.push(phrase.trim().slice(0, LONGEST_PHRASE))
      return ' '
    })
    .replace(PLURAL, (_, plural: string, name: string, value: string) => {
      const meant = `write \`${name}:${value}\`, or \`"${plural}"\` to find the text`
      throw new PithError('bad-argument', `\`${plural}\` is not a filter: ${meant}`)
    })
    .replace(FILTER, (_, before: string, typedName: string, value: string) => {
      const name = typedName.toLowerCase() as keyof Filters
      Object.assign(filters, { [name]: FILTERS[name](value) })
      return before
    })
  const typedWords = queryWords(rest)
  // Signs, or words that say nothing: only the text itself can be looked for.
  if (typedWords.length === 0 && phrases.length === 0 && rest.trim() !== '')
    phrases.push(rest.trim().slice(0, LONGEST_PHRASE))
  const words = [...wordsOfPhrases(phrases), ...typedWords].slice(0, MOST_WORDS)
  return { words: unique(words), phrases, filters }
}

/** True if there is nothing to look for. */
export function isBlank({ words, phrases, filters }: Query): boolean {
  return words.length === 0 && phrases.length === 0 && Object.keys(filters).length === 0
}

/** The filters of a query, as they were typed. */
export function typedFilters(typed: string): string[] {
  return [...typed.replace(PHRASE, ' ').matchAll(FILTER)].map(([filter]) => filter.trim())
}

const PHRASE = /"([^"\n]*)"/g
/** The keyboard of a phone begins a text with a capital, so case does not count. */
const FILTER = /(^|\s)(file|tool|role|is|before|after|session):(\S*)/gi
/** Taken as words it would find the file or the role everywhere, and nobody would notice that nothing was narrowed. */
const PLURAL = /(?<=^|\s)((file|tool|role|session)s:(\S+))/gi

const FILTERS: { readonly [K in keyof Filters]-?: (value: string) => Filters[K] } = {
  file: (value) => needed('file', value, 'file:src/upload.ts'),
  tool: (value) => needed('tool', value, 'tool:bash'),
  session: (value) => needed('session', value, 'session:1f3a'),
  role: (value) => oneOf('role', value, ['user', 'assistant', 'tool']),
  is: (value) => oneOf('is', value, ['error', 'edit']),
  before: (value) => secondsOf('before', value),
  after: (value) => secondsOf('after', value),
}

function needed(name: string, value: string, example: string): string {
  if (value !== '') return value
  throw new PithError('bad-argument', `\`${name}:\` has no value: write it without a space, as in \`${example}\``)
}

function oneOf<const T extends string>(name: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value.toLowerCase())
  if (found !== undefined) return found
  const allowed = values.map((one) => `${name}:${one}`).join(', ')
  throw new PithError('bad-argument', `\`${name}:${value}\` is not a filter: write one of ${allowed}`)
}

function secondsOf(name: string, value: string): number {
  const time = /^\d{4}-\d\d(-\d\d(T[\d:.]+Z?)?)?$/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return Math.floor(time / 1_000)
  throw new PithError('bad-argument', `\`${name}:${value}\` is not a date: write \`${name}:2026-01-31\``)
}

/** Of a name the parts are asked for one by one, and the whole name counts in addition, as do two words that may be one name. */
function queryWords(text: string): QueryWord[] {
  const typed = splitWords(text)
  const words = typed.flatMap(({ parts, joined }) => [...parts.map(queryWord('any')), ...joinedWord(joined)])
  const pairs = typed.slice(1).flatMap((word, i) => joinedWord(pairOf(typed[i], word)))
  return [...words, ...pairs]
}

function queryWord(rule: QueryWord['rule']): (part: string) => QueryWord {
  return (part) => ({ text: part, term: termOf(part), rule })
}

function joinedWord(joined: string | undefined): QueryWord[] {
  return joined === undefined ? [] : [{ text: joined, term: joined, rule: 'bonus' }]
}

function pairOf(first: SplitWord | undefined, second: SplitWord): string | undefined {
  const joined = [first, second].map((word) => word?.joined ?? word?.parts.join('') ?? '').join('')
  return /^[a-z\d]{5,40}$/.test(joined) ? joined : undefined
}

const MOST_BEGUN = 8

/** Each word that may be a part of a longer one is compared with all terms of the index, so there are few. */
function wordsOfPhrases(phrases: readonly string[]): QueryWord[] {
  const words = phrases.flatMap(phraseWords)
  const begun = new Set(words.filter(({ rule }) => rule === 'begun').slice(0, MOST_BEGUN))
  return words.filter((word) => word.rule !== 'begun' || begun.has(word))
}

/**
 * A hit has all words of a phrase, as they are written: a name counts as a whole, because its case may differ. The words that
 * the phrase begins and ends with may be parts of longer words.
 */
function phraseWords(phrase: string): QueryWord[] {
  const words = splitWords(phrase)
  const isCut = ({ text }: SplitWord) => text === words[0]?.text || text === words.at(-1)?.text
  return words.flatMap((word, i): QueryWord[] => {
    const isEnd = i === 0 || i === words.length - 1
    if (isEnd || (isCut(word) && isInVersion(word))) return begunWords(word)
    const whole = word.joined === undefined ? word.parts : [word.joined]
    // Parts such as those of `thE` may be a word that says nothing if the text has another case.
    return whole.filter((term) => !saysNothing(term)).map((term) => ({ text: term, term, rule: 'needed' }))
  })
}

/** True for a number that may be inside a version, because signs next to it are not indexed and nothing shows where the word ends. */
function isInVersion({ text, parts }: SplitWord): boolean {
  return /[^\x20-\x7e]/.test(text) && parts.every((part) => /^\d+$/.test(part))
}

function begunWords({ parts, hyphenated }: SplitWord): QueryWord[] {
  const other = hyphenated === undefined ? {} : { hyphenated: hyphenated.slice(0, LONGEST_PIECE) }
  return pieces(parts).map((text) => ({ text, term: text, rule: 'begun', ...other }))
}

const MOST_PIECES = 3

/** The longest pieces that are surely in a term of the text. Words that say nothing, and their parts, are in none. */
function pieces(parts: readonly string[]): string[] {
  return (
    parts
      .flatMap((part) => part.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
      .filter((piece) => !isInStopWord(piece))
      // A row of this sign is one word, but pairs next to a letter of Japanese.
      .map((piece) => piece.replace(/^ー{3,}$/, 'ーー'))
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MOST_PIECES)
      .map((piece) => piece.slice(0, LONGEST_PIECE))
  )
}

function unique(words: readonly QueryWord[]): QueryWord[] {
  const seen = new Map<string, QueryWord>()
  for (const word of words) {
    const before = seen.get(word.term)
    if (before === undefined || before.rule === 'bonus') seen.set(word.term, word)
  }
  return [...seen.values()]
}
