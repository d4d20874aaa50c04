import { randomOf } from '../random.ts'

export type Interval = { readonly mean: number; readonly low: number; readonly high: number }

const ROUNDS = 2_000

/**
 * The mean of all values and the 95 % interval of 2,000 means of groups drawn from them; the same every time. The values
 * of a group, such as the marks at one cut, are drawn together because they depend on each other.
 */
export function bootstrap(groups: readonly (readonly number[])[], seed = 1): Interval | undefined {
  const filled = groups.filter((group) => group.length > 0)
  return bootstrapOf(filled, (drawn) => meanOf(drawn.flat()), seed)
}

/** A figure of all members of a sample, and its 95 % interval over 2,000 samples drawn from them; the same every time. */
export function bootstrapOf<T>(
  members: readonly T[],
  figure: (drawn: readonly T[]) => number,
  seed = 1,
): Interval | undefined {
  return members.length === 0 ? undefined : intervalOf(figure(members), drawnFrom(members, seed).map(figure))
}

/** 2,000 samples of as many members, the same every time. */
export function drawnFrom<T>(members: readonly T[], seed = 1): T[][] {
  const random = randomOf(seed)
  const drawn = () => members.flatMap(() => members.slice(Math.floor(random() * members.length)).slice(0, 1))
  return Array.from({ length: ROUNDS }, drawn)
}

export function intervalOf(mean: number, figures: readonly number[]): Interval {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { mean, low: at(0.025), high: at(0.975) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
