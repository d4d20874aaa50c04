import { FEATURES, PAIRED_ROWS, type PairedRow, PLACES, ROWS, type Row } from './automaton.ts'
import type { Estimator } from './estimator.ts'
import fitted from './feature-weights.json' with { type: 'json' }
import { type Pairs, weigherOf } from './weigher.ts'

/** Thousandths of a token for a character, by its row and its place in it. Places that are not there cost nothing. */
const ROW_WEIGHTS: Readonly<Record<Row, readonly number[]>> = fitted.rows

/** Thousandths of a token for a certain split between two letters, by the row of their word. */
const PAIR_WEIGHTS: Readonly<Record<PairedRow, number>> = fitted.pairs

/** How likely a token ends between two letters: a line for each first letter, a character (A–Z a–z 0–9 + /) for each second. */
const LETTER_PAIRS: readonly string[] = fitted.letters

/** Weighs features of the text. It is within a few percent of o200k, and of other tokenizers after calibration. */
export const featureEstimator: Estimator = { name: 'features', text: (text) => countOf(text) }

/** The weights in the order of `countFeatures` (bench/estimator). */
function featureWeights(): Float64Array {
  const weights = new Float64Array(FEATURES)
  ROWS.forEach((row, number) => {
    weights.set(ROW_WEIGHTS[row], number * PLACES)
  })
  weights.set(
    PAIRED_ROWS.map((row) => PAIR_WEIGHTS[row]),
    ROWS.length * PLACES,
  )
  return weights.map((thousandths) => thousandths / 1_000)
}

/** The table of letter pairs, as numbers from 0 to 1. */
function letterPairs(): Pairs {
  const pairs = new Float64Array(32 * 32)
  LETTER_PAIRS.forEach((line, first) => {
    for (let second = 0; second < line.length; second++)
      pairs[((first + 1) << 5) | (second + 1)] = step(line.charCodeAt(second)) / 63
  })
  return pairs
}

let weigh: ((text: string) => number) | undefined

function countOf(text: string): number {
  if (text === '') return 0
  weigh ??= weigherOf(featureWeights(), letterPairs())
  return Math.max(1, Math.round(weigh(text)))
}

/** A–Z, a–z, 0–9, + and / are 0 to 63. */
function step(code: number): number {
  if (code >= 97) return code - 97 + 26
  if (code >= 65) return code - 65
  return code >= 48 ? code - 48 + 52 : code === 43 ? 62 : 63
}
