import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutatedText } from './mutants.ts'
import type { TestChoice } from './test-choice.ts'
import type { TestProcess } from './test-process.ts'

/** What became of a mutant. */
export type Outcome =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'survived'; readonly tests: number; readonly related: number }

export type Trial = { readonly mutant: Mutant; readonly outcome: Outcome; readonly ms: number }

/** Slow machines must not count as mutants that hang. */
const SLOWEST = 4
const GRACE_MS = 10_000

/** Runs the chosen tests on a copy of the tree that has the mutant in it; the copy is as before afterwards. */
export async function tryMutant(
  mutant: Mutant,
  choice: TestChoice,
  { folder, process }: { readonly folder: string; readonly process: TestProcess },
): Promise<Trial> {
  const path = join(folder, mutant.file)
  const text = readFileSync(path, 'utf8')
  const started = performance.now()
  writeFileSync(path, mutatedText(text, mutant))
  const outcome = await outcomeOf(mutant, choice, process)
  writeFileSync(path, text)
  return { mutant, outcome, ms: performance.now() - started }
}

async function outcomeOf(mutant: Mutant, choice: TestChoice, process: TestProcess): Promise<Outcome> {
  const timeoutMs = choice.ms * SLOWEST + GRACE_MS
  for (const [tests, rebuild] of [[choice.inProcess, false] as const, [choice.program, true] as const]) {
    if (tests.length === 0) continue
    const result = await process.run({ tests, changed: mutant.file, rebuild }, timeoutMs)
    if (result === 'timeout') return { kind: 'timeout' }
    if (result.killedBy !== undefined) return { kind: 'killed', by: result.killedBy }
  }
  return { kind: 'survived', tests: choice.inProcess.length + choice.program.length, related: choice.related }
}
