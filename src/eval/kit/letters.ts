import { randomOf } from '../random.ts'

/** A to Z, then AA. A cut has about thirteen contexts. */
export function letterOf(i: number): string {
  return i < 26 ? String.fromCharCode(65 + i) : `A${letterOf(i - 26)}`
}

/** The members in another order, the same for the same seed. */
export function shuffled<T>(all: readonly T[], seed: number): T[] {
  const random = randomOf(seed)
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
