import { KIND_BITS, KINDS, type Kind, SCRIPTS, SIGNS } from './character-kinds.ts'

/** The rows of Latin words. Their letters are also looked up in pairs. */
export const PAIRED_ROWS = ['spaced', 'afterSign', 'bare', 'camel', 'afterDigit', 'mixed', 'upper'] as const
export type PairedRow = (typeof PAIRED_ROWS)[number]

/**
 * Every character of a text has a row and a place in it. The row of a word depends on its script and on the character
 * before it, because that is where tokenizers cut before they use their vocabulary. The place of a letter is its position
 * in the word; the place of anything else depends on what it follows.
 */
export const ROWS = [...PAIRED_ROWS, 'accented', ...SCRIPTS, 'letterAgain', ...SIGNS, 'rest'] as const
export type Row = (typeof ROWS)[number]
export const PLACES = 8

/** The number of values that `countFeatures` (bench/estimator) returns: every place of every row, then the sum of the pairs of every paired row. */
export const FEATURES = ROWS.length * PLACES + PAIRED_ROWS.length

/** An input of the automaton: the kind of a character, and a bit for the third and later ones of a run. */
export const INPUT_BITS = KIND_BITS + 1

/** The state of the automaton after a character. */
type State = {
  readonly row: Row
  readonly place: number
  /** The number of letters in the word so far, or of characters in the run. */
  readonly count: number
  /** How often letters, capitals and digits alternated in short pieces: a high number means base64, a hash or an identifier. */
  readonly turns: number
  /** True if the letter was a capital: another capital continues the word. */
  readonly capital: boolean
}

export type Automaton = {
  /** The state after a state and an input. 0 is the state before the first character. */
  readonly next: Uint16Array
  readonly states: number
  readonly featureOf: Uint16Array
  /** The paired row of a letter that follows another one; for everything else, the number of paired rows. */
  readonly pairedRowOf: Uint8Array
}

let automaton: Automaton | undefined

/** Follows words and runs through a text, so that counting takes one table look-up per character. Built when first needed. */
export function theAutomaton(): Automaton {
  automaton ??= buildAutomaton()
  return automaton
}

/** All reachable states, numbered in the order in which they are found. */
function buildAutomaton(): Automaton {
  const numbers = new Map<number, number>()
  const found: State[] = []
  const numberOf = (state: State) => {
    const key = keyOf(state)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, found.length)
    return found.push(state) - 1
  }
  numberOf(START)
  const next = new Uint16Array(MOST_STATES << INPUT_BITS)
  for (let index = 0; index < found.length; index++) {
    const from = found[index] ?? START
    KINDS.forEach((kind, number) => {
      const once = numberOf(step(from, kind, false))
      const input = (index << INPUT_BITS) | number
      next[input] = once
      next[input | (1 << KIND_BITS)] = REPEATED.has(kind) ? numberOf(step(from, kind, true)) : once
    })
  }
  return {
    next: next.slice(0, found.length << INPUT_BITS),
    states: found.length,
    featureOf: Uint16Array.from(found, ({ row, place }) => ROW_NUMBER[row] * PLACES + place),
    pairedRowOf: Uint8Array.from(found, pairedRow),
  }
}

const MOST_STATES = 1_024

const ROW_NUMBER = Object.fromEntries(ROWS.map((row, number) => [row, number])) as Record<Row, number>

/** The kinds whose third character in a row is counted differently from the second. */
export const REPEATED: ReadonlySet<Kind> = new Set<Kind>(['lower', 'upper', 'sign', 'symbol', 'box'])

function keyOf({ row, place, count, turns, capital }: State): number {
  return (((((ROW_NUMBER[row] << 3) | place) << 5) | count) << 4) | (turns << 1) | Number(capital)
}

function pairedRow({ row, count }: State): number {
  return count === 1 ? PAIRED_ROWS.length : Math.min(ROW_NUMBER[row], PAIRED_ROWS.length)
}

const START = state('newline', 0, 1)

function state(row: Row, place: number, count: number, turns = 0, capital = false): State {
  return { row, place, count, turns, capital }
}

/** The state after one more character. `again`: it is at least the third of the same. */
function step(from: State, kind: Kind, again: boolean): State {
  switch (kind) {
    case 'lower':
    case 'upper':
      return again && LATIN.has(from.row) ? state('letterAgain', 0, 2) : latin(from, kind === 'upper')
    case 'accent':
    case 'vietnamese':
      return letter(kind, LATIN.has(from.row) ? from.count + 1 : 1)
    case 'digit':
      return digit(from)
    case 'space':
      return run(from, 'space', [1, 2, 16])
    case 'newline':
      return newline(from)
    case 'sign':
      return sign(from, again)
    case 'symbol':
    case 'box':
      return again ? state(kind, 2, 2) : run(from, kind, [1])
    case 'lowSurrogate':
      // The second half of a character, or a half without the other.
      return from.row === 'emoji' ? { ...from, place: 2 } : run(from, 'rest', [1])
    case 'tab':
    case 'typography':
    case 'wide':
    case 'emoji':
    case 'rest':
      return run(from, kind, [1])
    case 'han':
    case 'traditional':
      return letter(kind, HAN.has(from.row) ? from.count + 1 : 1)
    case 'cyrillic':
    case 'otherCyrillic':
      return letter(kind, CYRILLIC.has(from.row) ? from.count + 1 : 1)
    default:
      return letter(kind, from.row === kind ? from.count + 1 : 1)
  }
}

const LATIN: ReadonlySet<Row> = new Set<Row>([...PAIRED_ROWS, 'accented', 'accent', 'vietnamese', 'letterAgain'])
const CYRILLIC: ReadonlySet<Row> = new Set(['cyrillic', 'otherCyrillic'])
const HAN: ReadonlySet<Row> = new Set(['han', 'traditional'])

/** The place of a letter: each of the first four, then 5 to 6, 7 to 8, 9 to 12, and all later ones. */
const PLACE_OF_LETTER = [0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7]

function letter(row: Row, length: number, turns = 0, capital = false): State {
  const count = Math.min(length, LATIN.has(row) ? PLACE_OF_LETTER.length - 1 : LONGEST_OF_SCRIPT)
  return state(row, PLACE_OF_LETTER[count] ?? 0, count, turns, capital)
}

/** In other scripts the fifth letter counts like all later ones. */
const LONGEST_OF_SCRIPT = 5

/** From this many turns on, the word is part of something that no vocabulary has. */
const MIXED_TURNS = 3
const SHORT_PIECE = 4

function latin(from: State, capital: boolean): State {
  const within = LATIN.has(from.row)
  if (within && (!capital || from.capital)) return letter(rowWithin(from, capital), from.count + 1, from.turns, capital)
  if (!within && from.row !== 'digit') return letter(rowAfter(from), 1, 0, capital)
  const turns = turn(from)
  return letter(turns === MIXED_TURNS ? 'mixed' : capital ? 'camel' : 'afterDigit', 1, turns, capital)
}

/** Two capitals in a row, or an accent, change the kind of the word from there on. */
function rowWithin({ row }: State, capital: boolean): Row {
  if (row === 'accent' || row === 'vietnamese') return 'accented'
  if (row === 'letterAgain') return 'bare'
  return capital && row !== 'mixed' && row !== 'accented' ? 'upper' : row
}

function rowAfter({ row, place, count }: State): Row {
  if (row === 'space') return 'spaced'
  // A single sign joins the word after it, unless it has already joined a space.
  const joins = row === 'sign' ? count === 1 && place !== SIGN_AFTER_SPACE : row === 'tab' || row === 'typography'
  return joins ? 'afterSign' : 'bare'
}

function turn({ row, count, turns }: State): number {
  return row === 'digit' || count <= SHORT_PIECE ? Math.min(MIXED_TURNS, turns + 1) : 1
}

/** Digits come in groups of three. */
function digit(from: State): State {
  if (from.row === 'digit') {
    const count = from.count === 3 ? 1 : from.count + 1
    return state('digit', count === 1 ? 5 : 1 + count, count, from.turns)
  }
  if (LATIN.has(from.row)) return state('digit', 1, 1, turn(from))
  return state('digit', from.row === 'space' ? 0 : 2, 1)
}

const SIGN_AFTER_SPACE = 0

function sign(from: State, again: boolean): State {
  if (from.row !== 'sign') return state('sign', from.row === 'space' ? SIGN_AFTER_SPACE : 1, 1)
  const count = Math.min(from.count + 1, 16)
  if (again) return state('sign', count < 8 ? 5 : count < 16 ? 6 : 7, count)
  return state('sign', Math.min(count, 4), Math.min(count, 8))
}

function newline({ row, count }: State): State {
  if (row === 'newline') return state('newline', count === 1 ? 3 : 4, 2)
  return state('newline', row === 'sign' ? 1 : row === 'space' ? 2 : 0, 1)
}

/** A run of one kind: its place is the first step that its length does not exceed. */
function run(from: State, row: Row, steps: readonly number[]): State {
  const longest = (steps.at(-1) ?? 0) + 1
  const count = from.row === row ? Math.min(from.count + 1, longest) : 1
  const place = steps.findIndex((most) => count <= most)
  return state(row, place < 0 ? steps.length : place, count)
}
