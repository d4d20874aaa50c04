import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutatedText } from './mutants.ts'
import type { TestChoice } from './test-choice.ts'
import type { TestProcess, TestResult } from './test-process.ts'

/** The result of a mutant. */
export type Outcome =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'survived'; readonly tests: readonly string[] }

export type Trial = { readonly mutant: Mutant; readonly outcome: Outcome; readonly ms: number }

/** Slow machines must not count as mutants that hang. */
const SLOWEST = 3
const GRACE_MS = 10_000

export type Workplace = {
  /** A copy of the tree. */
  readonly folder: string
  readonly process: TestProcess
  /** The tests that use the program as the global setup builds it. */
  readonly programTests: ReadonlySet<string>
}

/** Runs the chosen tests on a copy of the tree that has the mutant in it; the copy is as before afterwards. */
export async function tryMutant(mutant: Mutant, choice: TestChoice, workplace: Workplace): Promise<Trial> {
  const path = join(workplace.folder, mutant.file)
  const text = readFileSync(path, 'utf8')
  const started = performance.now()
  writeFileSync(path, mutatedText(text, mutant))
  const outcome = await outcomeOf(mutant, choice, workplace)
  writeFileSync(path, text)
  return { mutant, outcome, ms: performance.now() - started }
}

async function outcomeOf(
  { file }: Mutant,
  { tests, ms }: TestChoice,
  { process, programTests }: Workplace,
): Promise<Outcome> {
  const timeoutMs = ms * SLOWEST + GRACE_MS
  // The tests that import the code go first: for the others the program has to be built.
  for (const rebuild of [false, true]) {
    const now = tests.filter((test) => programTests.has(test) === rebuild)
    if (now.length === 0) continue
    const run = () => process.run({ tests: now, changed: file, rebuild }, timeoutMs)
    const first = await run()
    const result = mayBeSlowness(first) ? await run() : first
    if (result === 'timeout') return { kind: 'timeout' }
    if (result.killedBy !== undefined) return { kind: 'killed', by: result.killedBy }
  }
  return { kind: 'survived', tests }
}

/** A busy machine makes programs late and ends processes: only a failed test of the code itself is certain at once. */
function mayBeSlowness(result: TestResult | 'timeout'): boolean {
  if (result === 'timeout' || result.killedBy === undefined) return false
  return !result.killedBy.includes(' > ') || result.killedBy.startsWith('test/programs/')
}
