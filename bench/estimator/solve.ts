/** One observation of a fit: its features, what they should sum to, and how much it counts. */
export type Row = { readonly features: ArrayLike<number>; readonly value: number; readonly weight: number }

const MOST_ROUNDS = 5_000
const CLOSE_ENOUGH = 1e-7

/**
 * The weights, none below zero, with the least squared error plus `pull` times the squared distance to `prior`: what
 * the rows say little about stays where it was. Solved one weight at a time on the normal equations.
 */
export function nonNegativeRidge(rows: readonly Row[], prior: ArrayLike<number>, pull: number): Float64Array {
  const size = prior.length
  const { gram, target } = normalEquations(rows, size)
  for (let at = 0; at < size; at++) {
    gram[at * size + at] = (gram[at * size + at] ?? 0) + pull
    target[at] = (target[at] ?? 0) + pull * (prior[at] ?? 0)
  }
  const weights = Float64Array.from(prior)
  for (let round = 0; round < MOST_ROUNDS; round++) if (improve(weights, gram, target) < CLOSE_ENOUGH) break
  return weights
}

/** Sets each weight to what is best with the others as they are. Returns the largest change. */
function improve(weights: Float64Array, gram: Float64Array, target: Float64Array): number {
  const size = weights.length
  let largest = 0
  for (let at = 0; at < size; at++) {
    let rest = target[at] ?? 0
    for (let other = 0; other < size; other++) rest -= (gram[at * size + other] ?? 0) * (weights[other] ?? 0)
    const before = weights[at] ?? 0
    const after = Math.max(0, before + rest / (gram[at * size + at] ?? 1))
    weights[at] = after
    largest = Math.max(largest, Math.abs(after - before))
  }
  return largest
}

function normalEquations(rows: readonly Row[], size: number) {
  const gram = new Float64Array(size * size)
  const target = new Float64Array(size)
  for (const { features, value, weight } of rows) {
    const present = Array.from({ length: size }, (_, at) => at).filter((at) => features[at] !== 0)
    for (const at of present) {
      const scaled = weight * (features[at] ?? 0)
      target[at] = (target[at] ?? 0) + scaled * value
      for (const other of present)
        gram[at * size + other] = (gram[at * size + other] ?? 0) + scaled * (features[other] ?? 0)
    }
  }
  return { gram, target }
}
