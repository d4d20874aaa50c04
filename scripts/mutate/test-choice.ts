import type { Range } from './changes.ts'
import type { Measurement } from './measure.ts'
import { isReached, type SourceFunction } from './probes.ts'

/** The tests to run for one mutant. */
export type TestChoice = {
  readonly tests: readonly string[]
  /** The time that all of them take without a mutant. */
  readonly ms: number
}

/** So many tests run for each mutant, however slow they are. */
export const NEAREST = 4

type ReachingTest = { readonly test: string; readonly ms: number }

/** The measured tests that run the code of a range, in the order of `related`. */
export function reachingTests(
  range: Range,
  functions: readonly SourceFunction[],
  related: readonly string[],
  measurements: ReadonlyMap<string, Measurement>,
): ReachingTest[] {
  return related.flatMap((test) => {
    const measurement = measurements.get(test)
    if (measurement?.kind !== 'passed' || !isReached(range, functions, measurement.reached)) return []
    return [{ test, ms: measurement.ms }]
  })
}

/** The nearest tests, even when they are slow, and then the fastest, as many as take at most `budgetMs` together. */
export function chooseTests(reaching: readonly ReachingTest[], budgetMs: number): TestChoice {
  const chosen = reaching.slice(0, NEAREST)
  for (const test of reaching.slice(NEAREST).toSorted((a, b) => a.ms - b.ms)) {
    if (totalMs(chosen) + test.ms <= budgetMs) chosen.push(test)
  }
  return { tests: chosen.map(({ test }) => test), ms: totalMs(chosen) }
}

function totalMs(tests: readonly ReachingTest[]): number {
  return tests.reduce((sum, { ms }) => sum + ms, 0)
}
