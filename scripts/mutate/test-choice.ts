import { type ImportGraph, programTests, relatedTests } from './import-graph.ts'
import type { TestProcess } from './test-process.ts'

/** The tests to run for the mutants of one file. */
export type TestChoice = {
  /** Tests that import the code, the nearest first. */
  readonly inProcess: readonly string[]
  /** Tests that run the built program. */
  readonly program: readonly string[]
  /** What all of them take without a mutant. */
  readonly ms: number
  /** How many tests run the file in one way or another. */
  readonly related: number
  /** Tests that say nothing about a mutant, for they fail without one. */
  readonly failing: readonly string[]
}

type MeasuredTest = { readonly test: string; readonly ms: number }

export type TestChooser = (file: string) => Promise<TestChoice>

/** So many run however slow they are. */
const NEAREST = 4
/** How many of the related tests are candidates: those further away seldom notice what the nearest do not. */
const CANDIDATES = 24
const MEASURE_TIMEOUT_MS = 300_000

/**
 * Chooses, of the nearest tests of a file, as many as take at most `budgetMs` together, and always the first four.
 * Measures each test once, without a mutant.
 */
export function testChooser(graph: ImportGraph, processes: readonly TestProcess[], budgetMs: number): TestChooser {
  const program = programTests(graph)
  const times = new Map<string, number | 'fails'>()

  async function measure(tests: readonly string[], process: TestProcess): Promise<void> {
    // One by one after a failure: the run stops there, and the others have not run.
    const result = await process.run({ tests, rebuild: false }, MEASURE_TIMEOUT_MS)
    const clean = result !== 'timeout' && result.killedBy === undefined
    if (clean) for (const { test, ms } of result.ran) times.set(test, ms)
    else if (tests.length > 1) for (const test of tests) await measure([test], process)
    for (const test of tests) if (!times.has(test)) times.set(test, 'fails')
  }

  async function measureAll(tests: readonly string[]): Promise<void> {
    const fresh = tests.filter((test) => !times.has(test))
    const shares = processes.map((_, share) => fresh.filter((_, index) => index % processes.length === share))
    await Promise.all(
      processes.map((process, share) => (shares[share]?.length ? measure(shares[share], process) : undefined)),
    )
  }

  return async (file) => {
    const related = relatedTests(graph, file)
    const candidates = related.slice(0, CANDIDATES).map(({ test }) => test)
    const measured: MeasuredTest[] = []
    const failing: string[] = []
    while (candidates.length > 0 && totalMs(measured) < budgetMs) {
      const chunk = candidates.splice(0, NEAREST * processes.length)
      await measureAll(chunk)
      for (const test of chunk) {
        const ms = times.get(test)
        if (typeof ms === 'number') measured.push({ test, ms })
        else failing.push(test)
      }
    }
    const chosen = withinBudget(measured, budgetMs)
    const tests = chosen.map(({ test }) => test)
    return {
      inProcess: tests.filter((test) => !program.has(test)),
      program: tests.filter((test) => program.has(test)),
      ms: totalMs(chosen),
      related: related.length,
      failing,
    }
  }
}

/** The nearest tests, even when they are slow, and then the fastest: they are the first to end a mutant. */
function withinBudget(measured: readonly MeasuredTest[], budgetMs: number): MeasuredTest[] {
  const chosen = measured.slice(0, NEAREST)
  for (const test of measured.slice(NEAREST).toSorted((a, b) => a.ms - b.ms)) {
    if (totalMs(chosen) + test.ms <= budgetMs) chosen.push(test)
  }
  return chosen
}

function totalMs(tests: readonly MeasuredTest[]): number {
  return tests.reduce((sum, { ms }) => sum + ms, 0)
}
