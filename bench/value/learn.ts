import type { Features, Weights } from '../../src/engine/record/value.ts'
import { bits, LINE_NUMBERS } from '../../src/engine/record/value.ts'
import type { CutSamples, Sample } from './samples.ts'

/** A weight of the logarithm of the odds is stored in hundredths. */
const SCALE = 100
/** The width of a step of the table of chances, in the same unit. */
const STEP = 50
const RIDGE = 1
const MOST_STEPS = 25

/** Weights and chances by logistic regression: one weight for each kind, and one for each number that is known about a line. */
export function learned(cuts: readonly CutSamples[]): Weights {
  const lines = cuts.flatMap((cut) => cut.lines)
  const kinds = [...new Set(lines.map(({ features }) => features.kind))].toSorted()
  const exact = regression(lines, kinds)
  const whole = (i: number) => Math.round((exact[i] ?? 0) * SCALE)
  const kind = Object.fromEntries(kinds.map((name, i) => [name, whole(i)]))
  const numbers = Object.fromEntries(LINE_NUMBERS.map((name, i) => [name, whole(kinds.length + i)]))
  const chances = Array.from({ length: 2 * HALF + 1 }, (_, i) =>
    Math.max(1, Math.round(1_000 / (1 + Math.exp(-((i - HALF) * STEP) / SCALE)))),
  )
  return { ...(numbers as Record<(typeof LINE_NUMBERS)[number], number>), kind, step: STEP, chances }
}

/** The table goes from one in a thousand to nearly certain. */
const HALF = 14

/** Newton's method: the material has tens of thousands of lines, and there are a few dozen weights. */
function regression(lines: readonly Sample[], kinds: readonly string[]): number[] {
  const rows = lines.map(({ features, needed }) => ({
    at: cellsOf(features, kinds),
    isNeeded: needed.length > 0 ? 1 : 0,
  }))
  const size = kinds.length + LINE_NUMBERS.length
  const weights = new Array<number>(size).fill(0)
  for (let step = 0; step < MOST_STEPS; step++) {
    const slope = weights.map((weight) => -RIDGE * weight)
    const curve = weights.map((_, i) => weights.map((_, j) => (i === j ? RIDGE : 0)))
    for (const { at, isNeeded } of rows) {
      const sum = at.reduce((total, [i, x]) => total + (weights[i] ?? 0) * x, 0)
      const chance = 1 / (1 + Math.exp(-sum))
      for (const [i, x] of at) {
        slope[i] = (slope[i] ?? 0) + (isNeeded - chance) * x
        for (const [j, y] of at)
          (curve[i] as number[])[j] = ((curve[i] as number[])[j] ?? 0) + chance * (1 - chance) * x * y
      }
    }
    const change = solved(curve, slope)
    for (const [i, more] of change.entries()) weights[i] = (weights[i] ?? 0) + more
    if (change.every((more) => Math.abs(more) < 1e-4)) break
  }
  return weights
}

type Cell = readonly [at: number, x: number]

function cellsOf(features: Features, kinds: readonly string[]): Cell[] {
  return [
    [kinds.indexOf(features.kind), 1],
    ...LINE_NUMBERS.map((name, i): Cell => [kinds.length + i, bits(features[name])]),
  ]
}

/** Gauss, with pivots. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0])
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 0; i < rows.length; i++) {
    let best = i
    for (let k = i + 1; k < rows.length; k++) if (Math.abs(at(k, i)) > Math.abs(at(best, i))) best = k
    ;[rows[i], rows[best]] = [rows[best] as number[], rows[i] as number[]]
    for (let k = i + 1; k < rows.length; k++) {
      const factor = at(k, i) / at(i, i)
      if (factor !== 0) rows[k] = (rows[k] as number[]).map((x, j) => x - factor * at(i, j))
    }
  }
  const result = new Array<number>(rows.length).fill(0)
  for (let i = rows.length - 1; i >= 0; i--) {
    const known = result.reduce((sum, x, j) => (j > i ? sum + at(i, j) * x : sum), 0)
    result[i] = (at(i, rows.length) - known) / at(i, i)
  }
  return result
}
