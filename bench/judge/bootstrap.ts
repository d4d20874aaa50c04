import { randomOf } from '../estimator/random.ts'

export type Interval = { readonly mean: number; readonly low: number; readonly high: number }

const ROUNDS = 2_000

/** The mean of some values and the 95 % interval of 2,000 means of values drawn from them; the same every time. */
export function bootstrap(values: readonly number[], seed = 1): Interval | undefined {
  if (values.length === 0) return undefined
  const random = randomOf(seed)
  const drawn = () => values[Math.floor(random() * values.length)] ?? 0
  const means = Array.from({ length: ROUNDS }, () => meanOf(values.map(drawn))).toSorted((a, b) => a - b)
  const at = (share: number) => means[Math.floor(share * (ROUNDS - 1))] ?? 0
  return { mean: meanOf(values), low: at(0.025), high: at(0.975) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
