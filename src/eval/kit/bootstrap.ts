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
  if (members.length === 0) return undefined
  const random = randomOf(seed)
  const drawn = () => members.flatMap(() => members.slice(Math.floor(random() * members.length)).slice(0, 1))
  const figures = Array.from({ length: ROUNDS }, () => figure(drawn())).toSorted((a, b) => a - b)
  const at = (share: number) => figures[Math.floor(share * (ROUNDS - 1))] ?? 0
  return { mean: figure(members), low: at(0.025), high: at(0.975) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
