import { FEATURES, INPUT_BITS, PAIRED_ROWS, PLACES, ROWS, theAutomaton } from '../../src/tokens/estimate/automaton.ts'
import { KIND_BITS, KIND_OF } from '../../src/tokens/estimate/character-kinds.ts'
import type { Pairs } from '../../src/tokens/estimate/weigher.ts'

/** The features of a text, for fitting the weights. No value decreases when text is appended. */
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

function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}

/** The input bit for the third and later characters of a run of the same one. A branch would halve the speed. */
function againOf(code: number, last: number, beforeLast: number): number {
  return ((((code ^ last) | (code ^ beforeLast)) - 1) >>> 31) << KIND_BITS
}
