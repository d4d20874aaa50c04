import type { QueryWord } from './query.ts'
import { type KnownWords, valuesIn } from './terms.ts'

/** The lines of a text that say most about a query. */
export type BestLines = {
  readonly text: string
  /** How much of the query these lines have, from 0 to 1. */
  readonly share: number
}

const LINES = 3
const LINE_CHARACTERS = 200
/** A longer text is only read up to here. */
const MOST_CHARACTERS = 200_000

/** Finds the few lines in which the words of a query are closest together. */
export function bestLines(
  text: string,
  weights: ReadonlyMap<QueryWord, number>,
  phrases: readonly string[],
  known: KnownWords,
): BestLines {
  const lines = text.slice(0, MOST_CHARACTERS).split('\n').flatMap(pieces)
  const wanted = [...weights].filter(([{ rule }]) => rule !== 'bonus')
  const whole = wanted.reduce((sum, [, weight]) => sum + weight, 0)
  const looked: LookedFor = {
    places: new Map(wanted.map(([{ term }], i) => [term, i])),
    begins: beginsOf(wanted.map(([{ term }]) => term)),
    phrases: phrases.map((phrase) => phrase.toLowerCase()),
  }
  const found = lines.map((line) => wordsOf(line, looked, known))
  const counted = new Int32Array(wanted.length + phrases.length).fill(-1)
  let best = { at: 0, score: -1 }
  for (const at of lines.keys()) {
    if (found[at]?.size === 0) continue
    let score = 0
    for (const words of found.slice(at, at + LINES)) {
      for (const i of words) {
        if (counted[i] !== at) score += wanted[i]?.[1] ?? 1
        counted[i] = at
      }
    }
    if (score > best.score) best = { at, score }
  }
  const share = best.score < 0 ? 0 : whole === 0 ? 1 : Math.min(1, best.score / whole)
  const from = Math.max(0, best.at)
  const shown = lines.slice(from, from + LINES).filter((line) => line.trim() !== '')
  return { text: shown.map((line) => line.trim()).join('\n'), share }
}

type LookedFor = {
  /** The places of the wanted terms. */
  readonly places: ReadonlyMap<string, number>
  /** Finds the lines that may have one of them. */
  readonly begins: RegExp
  readonly phrases: readonly string[]
}

const NONE: ReadonlySet<number> = new Set()
const BEGIN = 3

/** A word and its stem begin with the same letters. Splitting only the lines that have them saves most of the time. */
function beginsOf(terms: readonly string[]): RegExp {
  const begins = new Set(terms.map((term) => term.slice(0, BEGIN).replace(/[^a-z\d]/g, '\\$&')))
  return new RegExp(['[^\\0-\\x7f]', ...begins].join('|'), 'i')
}

/** The places of the words that a line has. A phrase counts as a word of its own. */
function wordsOf(line: string, { places, begins, phrases }: LookedFor, known: KnownWords): ReadonlySet<number> {
  const words = begins.test(line) ? valuesIn(line, places, known) : NONE
  if (phrases.length === 0) return words
  const folded = line.toLowerCase()
  const quoted = phrases.flatMap((phrase, i) => (folded.includes(phrase) ? [places.size + i] : []))
  return quoted.length === 0 ? words : new Set([...words, ...quoted])
}

/** A long line in pieces, cut between words. */
function pieces(line: string): string[] {
  if (line.length <= LINE_CHARACTERS) return [line]
  return line.match(/.{1,180}\S{0,20}/gsu) ?? []
}
