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
  const { next, featureOf, pairedRowOf } = theAutomaton()
  const scale = scaleOf(weights)
  const weightOf = (state: number) => Math.round((weights[featureOf[state] ?? 0] ?? 0) * scale)
  // One look-up gives the state, its row and its weight: the loop waits for nothing else.
  const steps = Int32Array.from(
    next,
    (state) => (weightOf(state) << WEIGHT_SHIFT) | ((pairedRowOf[state] ?? 0) << STATE_BITS) | state,
  )
  const pairWeights = new Int32Array((PAIRED_ROWS.length + 1) << PAIR_BITS)
  PAIRED_ROWS.forEach((_, row) => {
    const weight = (weights[ROWS.length * PLACES + row] ?? 0) * scale
    pairs.forEach((pair, at) => {
      pairWeights[(row << PAIR_BITS) | at] = Math.round(weight * pair)
    })
  })
  return (text) => weigh(text, steps, pairWeights) / scale
}

/** The lowest bits of a step are the state, then comes the paired row, the rest is the weight. */
const STATE_BITS = 9
const ROW_BITS = 5
const WEIGHT_SHIFT = STATE_BITS + ROW_BITS
const PAIR_BITS = 10

/** Weights are whole numbers, as small parts of a token as there is room for, so that adding them up takes no time. */
function scaleOf(weights: ArrayLike<number>): number {
  const most = Math.max(1, ...Array.from(weights))
  return 2 ** Math.floor(Math.log2((2 ** (31 - WEIGHT_SHIFT) - 1) / most))
}

function weigh(text: string, steps: Int32Array, pairWeights: Int32Array): number {
  // As numbers here: constants of the module are loaded again for every character, which takes half the time.
  const stateMask = 511
  const inputBits = 6
  const kindBits = 5
  const rowMask = 0x3e00
  const rowShift = 1
  const weightShift = 14
  const stepsAtOnce = 4_096
  const kindOf = KIND_OF
  const { length } = text
  let total = 0
  let step = 0
  let last = -1
  let beforeLast = -1
  for (let from = 0; from < length; from += stepsAtOnce) {
    const end = Math.min(length, from + stepsAtOnce)
    let sum = 0
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at)
      const again = ((((code ^ last) | (code ^ beforeLast)) - 1) >>> 31) << kindBits
      step = steps[((step & stateMask) << inputBits) | again | (kindOf[code] ?? 0)] ?? 0
      const pair = ((step & rowMask) << rowShift) | ((last & 31) << 5) | (code & 31)
      sum = (sum + (step >> weightShift) + (pairWeights[pair] ?? 0)) | 0
      beforeLast = last
      last = code
    }
    // More at once could exceed a whole number of 32 bits.
    total += sum
  }
  return total
}

function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}

/** The bit of the input for the third and later ones of a run of the same character. A branch would cost half the speed. */
function againOf(code: number, last: number, beforeLast: number): number {
  return ((((code ^ last) | (code ^ beforeLast)) - 1) >>> 31) << KIND_BITS
}
