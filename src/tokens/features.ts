import { INPUT_BITS, theAutomaton } from './automaton.ts'
import { KIND_BITS, KIND_OF } from './character-kinds.ts'
import { FEATURES, PAIRED_ROWS, PLACES, ROWS } from './feature-rows.ts'

/** For two letters, `first * 32 + second` with a = 1: how likely a token ends between them. */
export type Pairs = Float64Array

/** The features of a text, to fit weights on. No number falls when text is appended. */
export function countFeatures(text: string, pairs: Pairs): Float64Array {
  const { next, states, featureOf, pairedRowOf } = theAutomaton()
  const visits = new Float64Array(states)
  const sums = new Float64Array(PAIRED_ROWS.length + 1)
  let state = 0
  let last = -1
  let beforeLast = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    state = next[(state << INPUT_BITS) | againOf(code, last, beforeLast) | (KIND_OF[code] ?? 0)] ?? 0
    visits[state] = (visits[state] ?? 0) + 1
    const row = pairedRowOf[state] ?? 0
    sums[row] = (sums[row] ?? 0) + (pairs[pairOf(last, code)] ?? 0)
    beforeLast = last
    last = code
  }
  const features = new Float64Array(FEATURES)
  for (let index = 0; index < states; index++) {
    const feature = featureOf[index] ?? 0
    features[feature] = (features[feature] ?? 0) + (visits[index] ?? 0)
  }
  features.set(sums.subarray(0, PAIRED_ROWS.length), ROWS.length * PLACES)
  return features
}

/**
 * Returns the function that gives the weighted sum of a text's features, without counting them one by one: every
 * character takes the same few steps, so no text makes it slow.
 */
export function weigherOf(weights: ArrayLike<number>, pairs: Pairs): (text: string) => number {
  const { next, states, featureOf, pairedRowOf } = theAutomaton()
  // One table for all numbers, so that the loop keeps everything in registers: the pairs, then two weights a state.
  const table = new Float64Array(PAIRS + 2 * states)
  table.set(pairs)
  for (let state = 0; state < states; state++) {
    const row = pairedRowOf[state] ?? 0
    table[PAIRS + 2 * state] = weights[featureOf[state] ?? 0] ?? 0
    table[PAIRS + 2 * state + 1] = row < PAIRED_ROWS.length ? (weights[ROWS.length * PLACES + row] ?? 0) : 0
  }
  return (text) => weigh(text, next, table)
}

function weigh(text: string, next: Uint16Array, table: Float64Array): number {
  const kindOf = KIND_OF
  let sum = 0
  let state = 0
  let last = -1
  let beforeLast = -1
  const length = text.length
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    state = next[(state << INPUT_BITS) | againOf(code, last, beforeLast) | (kindOf[code] ?? 0)] ?? 0
    const weight = PAIRS + 2 * state
    sum += (table[weight] ?? 0) + (table[weight + 1] ?? 0) * (table[pairOf(last, code)] ?? 0)
    beforeLast = last
    last = code
  }
  return sum
}

const PAIRS = 32 * 32

function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}

/** The bit of the input for the third and later ones of a run of the same character. A branch would cost half the speed. */
function againOf(code: number, last: number, beforeLast: number): number {
  return ((((code ^ last) | (code ^ beforeLast)) - 1) >>> 31) << KIND_BITS
}
