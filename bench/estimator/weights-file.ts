import { PAIRED_ROWS, PLACES, ROWS } from '../../src/tokens/estimate/automaton.ts'
import { STEPS } from './letter-pairs.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The text of src/tokens/estimate/feature-weights.json, formatted as the project formats it. */
export function weightsFile(weights: Float64Array, pairs: Float64Array, tokenizer: string): string {
  const rows = ROWS.map((row, number) => {
    const places = weights.slice(number * PLACES, (number + 1) * PLACES)
    return `    "${row}": [${trimmed(places).map(thousandths).join(', ')}]`
  })
  const paired = PAIRED_ROWS.map((row, at) => `    "${row}": ${thousandths(weights[ROWS.length * PLACES + at] ?? 0)}`)
  const letters = pairLines(pairs).map((line) => `    "${line}"`)
  return `{
  "source": "bench/estimator/fit.ts against ${tokenizer}: do not edit, fit again",
  "rows": {
${rows.join(',\n')}
  },
  "pairs": {
${paired.join(',\n')}
  },
  "letters": [
${letters.join(',\n')}
  ]
}
`
}

function pairLines(pairs: Float64Array): string[] {
  const letters = Array.from({ length: 26 }, (_, letter) => letter + 1)
  return letters.map((first) =>
    letters.map((second) => ALPHABET[Math.round((pairs[(first << 5) | second] ?? 0) * STEPS)] ?? 'A').join(''),
  )
}

function trimmed(places: Float64Array): number[] {
  return [...places.slice(0, places.findLastIndex((weight) => thousandths(weight) > 0) + 1)]
}

function thousandths(weight: number): number {
  return Math.round(weight * 1_000)
}
