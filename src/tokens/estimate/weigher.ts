import { PAIRED_ROWS, PLACES, ROWS, theAutomaton } from './automaton.ts'
import { KIND_OF } from './character-kinds.ts'
import { weigherByTwo } from './weigh-by-two.ts'

/** The probability that a token ends between two letters, at the index `first << 5 | second` with a = 1. */
export type Pairs = Float64Array

/**
 * Returns a function that gives the weighted sum of a text's features without counting each feature. Every character takes
 * the same few steps, so no text makes it slow.
 */
export function weigherOf(weights: ArrayLike<number>, pairs: Pairs): (text: string) => number {
  const tables = tablesOf(weights, pairs)
  const { steps, pairWeights, scale } = tables
  const slow = (text: string) => weighByOne(text, steps, pairWeights)
  let fast: ((text: string) => number) | undefined
  let read = 0
  return (text) => {
    if (text.length < WORTH_A_COPY) return slow(text) / scale
    if (fast === undefined) {
      read += text.length
      if (read < WORTH_MORE_TABLES) return slow(text) / scale
      fast = weigherByTwo(tables) ?? slow
    }
    return fast(text) / scale
  }
}

/** The faster way copies the text, which takes as long as reading this many characters. */
const WORTH_A_COPY = 32

/** The tables of the faster way are built only after this many characters: building them takes longer than reading fewer. */
const WORTH_MORE_TABLES = 250_000

/** The weights as whole numbers, `scale` to a token, indexed by the automaton's states. weigh-by-two.ts has the layout. */
export type WeightTables = {
  readonly scale: number
  readonly steps: Int32Array
  readonly pairWeights: Int32Array
  readonly weightOf: (state: number) => number
}

function tablesOf(weights: ArrayLike<number>, pairs: Pairs): WeightTables {
  const { next, featureOf, pairedRowOf } = theAutomaton()
  const scale = scaleOf(weights)
  const weightOf = (state: number) => Math.round((weights[featureOf[state] ?? 0] ?? 0) * scale)
  // One look-up gives the state, its row and its weight, so that the loop waits for nothing else.
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
  return { scale, steps, pairWeights, weightOf }
}

const STATE_BITS = 9
const ROW_BITS = 5
const WEIGHT_SHIFT = STATE_BITS + ROW_BITS
const PAIR_BITS = 10

/** The largest scale at which every weight still fits into a step. Whole numbers are added faster than fractions. */
function scaleOf(weights: ArrayLike<number>): number {
  const most = Math.max(1, ...Array.from(weights))
  return 2 ** Math.floor(Math.log2((2 ** (31 - WEIGHT_SHIFT) - 1) / most))
}

/** The sum of the weights of a text, read one character after the other. */
function weighByOne(text: string, steps: Int32Array, pairWeights: Int32Array): number {
  // Constants of the module would be loaded again for every character, which takes half the time.
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
    // The sum of a longer piece could exceed 32 bits.
    total += sum
  }
  return total
}
