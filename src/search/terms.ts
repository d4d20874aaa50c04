import { stemmer } from 'stemmer'

/**
 * A word of a text, and the words that it is made of: a name is split as people write it, and joined again, so that
 * `maxParallel`, `max_parallel` and "max parallel" find each other. All are in lower case and without accents.
 */
export type SplitWord = {
  readonly text: string
  readonly parts: readonly string[]
  /** All parts as one word, if there are several. */
  readonly joined?: string
  /** Random letters in lower case, with the hyphens and underscores that their one part lacks. */
  readonly hyphenated?: string
}

/** The words of a query or a line. Those that say nothing have no parts. */
export function splitWords(text: string): SplitWord[] {
  return (text.match(WORD) ?? []).flatMap((word) => runsOf(word).map((run) => ({ text: word, ...run })))
}

/** The term of a part of a word: simple stems of English, everything else as it is. */
export function termOf(part: string): string {
  return /^[a-z]{4,}$/.test(part) ? stemmer(part) : part
}

/** The terms of words that were met before. Most words of a log are repeated, and stems take long. */
export type KnownWords = Map<string, readonly string[]>

/** How often a text has each of its terms: the parts of its words with and without their endings, and whole names. */
export function countedTerms(text: string, known: KnownWords): Map<string, number> {
  // Most words of a text are repeated: each is looked up once.
  const words = new Map<string, number>()
  for (const word of text.match(WORD) ?? []) words.set(word, (words.get(word) ?? 0) + 1)
  const counts = new Map<string, number>()
  for (const [word, times] of words) {
    for (const term of termsOfWord(word, known)) counts.set(term, (counts.get(term) ?? 0) + times)
  }
  return counts
}

/** The values of those terms that a text has. */
export function valuesIn<T>(text: string, values: ReadonlyMap<string, T>, known: KnownWords): Set<T> {
  const found = new Set<T>()
  for (const word of text.match(WORD) ?? []) {
    for (const term of termsOfWord(word, known)) {
      const value = values.get(term)
      if (value !== undefined) found.add(value)
    }
  }
  return found
}

function termsOfWord(word: string, known: KnownWords): readonly string[] {
  const before = known.get(word)
  if (before !== undefined) return before
  const terms = runsOf(word).flatMap(termsOfRun)
  known.set(word, terms)
  return terms
}

type Run = Pick<SplitWord, 'parts' | 'joined' | 'hyphenated'>

function termsOfRun({ parts, joined }: Run): string[] {
  const terms = parts.flatMap((part) => {
    const term = termOf(part)
    return term === part ? [part] : [part, term]
  })
  return joined === undefined ? terms : [...terms, joined]
}

/** Letters and digits with what joins them inside a name, a version or a word. Beyond ASCII it takes too much: runs are split again. */
const WORD = /[A-Za-z\d\u0080-\uffff][\w\u0080-\uffff]*(?:[-.'’][A-Za-z\d\u0080-\uffff][\w\u0080-\uffff]*)*/g

function runsOf(word: string): Run[] {
  if (!/[^\x20-\x7e]/.test(word)) return plainRuns(word)
  return folded(word)
    .split(/[^\p{L}\p{N}\p{M}_.'’-]+/u)
    .flatMap((run) => run.split(BETWEEN_SCRIPTS))
    .flatMap((run) => (CJK.test(run) ? [{ parts: pairsOf(run) }] : plainRuns(run)))
}

function plainRuns(run: string): Run[] {
  if (/^[vV]?\d+(?:\.\d+)+$/.test(run)) return [{ parts: [run.replace(/^[vV]/, '')] }]
  return run.split('.').flatMap(runOfName)
}

/** Longer words are cut: texts in base64 have them. A SHA-256 has 64 characters. */
const LONGEST = 64
/** The pieces of a long word overlap, so that each part of it of this length is in one of them. */
export const LONGEST_PIECE = LONGEST / 2

/** The parts of a name without dots. */
function runOfName(name: string): Run[] {
  const bare = name.replace(/['’]/g, '')
  if (bare.length > LONGEST) return [{ parts: piecesOf(bare.toLowerCase()) }]
  const split = bare.split(NAME_PARTS).filter((part) => part !== '')
  const joined = split.join('').toLowerCase()
  // Random letters, as in base64, change their case all the time.
  if (split.length > 6 && joined.length / split.length < 3)
    return [/[-_]/.test(bare) ? { parts: [joined], hyphenated: bare.toLowerCase() } : { parts: [joined] }]
  const parts = split.map((part) => part.toLowerCase()).filter((part) => !saysNothing(part))
  if (parts.length === 0 && split.length < 2) return []
  return [split.length < 2 ? { parts } : { parts, joined }]
}

function piecesOf(word: string): string[] {
  const characters = [...word]
  const pieces: string[] = []
  for (let at = 0; at === 0 || at + LONGEST_PIECE < characters.length; at += LONGEST_PIECE)
    pieces.push(characters.slice(at, at + LONGEST).join(''))
  return pieces
}

/** Before a capital letter after a small one, before the last capital letter of several, and at what joins words. */
const NAME_PARTS = /[-_]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** True for a word that is not indexed. */
export function saysNothing(part: string): boolean {
  return STOP_WORDS.has(part) || (part.length === 1 && /[a-z]/.test(part))
}

/** True for a part of a word that is not indexed. */
export function isInStopWord(piece: string): boolean {
  return [...STOP_WORDS].some((word) => word.includes(piece))
}

/** Without accents, and in one form. The order of strings in JavaScript and in a database differs only beyond U+E000. */
function folded(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\ue000-\uffff]/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const CJK_SET = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`
const BETWEEN_SCRIPTS = new RegExp(`(?<=${CJK_SET})(?!${CJK_SET})|(?<!${CJK_SET})(?=${CJK_SET})`, 'u')

/** Chinese and Japanese have no spaces between words, so each pair of characters is a word. */
function pairsOf(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}

/** Words that say nothing about a text: most entries have them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of on or our
  should so that the their them then there these they this those to was we were what when where which who why will with
  would you your`.split(/\s+/),
)
