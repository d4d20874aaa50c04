import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportGraph, relatedTests } from './import-graph.ts'
import { type Measurer, reachedList } from './measure.ts'
import type { Mutant } from './mutants.ts'
import { type SourceFunction, withProbes } from './probes.ts'
import { chooseTests, NEAREST, reachingTests, type TestChoice } from './test-choice.ts'

/** After so many tests one that reaches a mutant is enough. */
const NEAR = 16
export type Limits = {
  /** The time for the tests of one mutant. */
  readonly budgetMs: number
  /** No more tests are measured for a file: it would take longer than the mutants. */
  readonly tests: number
}

/**
 * The tests to run for each mutant. Runs the related tests on code with probes, the nearest first, until enough of them
 * reach each mutant; the copies of the tree are as before afterwards.
 */
export async function choicesFor(
  mutants: readonly Mutant[],
  graph: ImportGraph,
  measurer: Measurer,
  { budgetMs, tests }: Limits,
): Promise<ReadonlyMap<Mutant, TestChoice>> {
  const groups = Map.groupBy(mutants, ({ file }) => file)
  const probed = [...groups.keys()].map((file) => putProbes(file, measurer.folders))
  const choices = new Map<Mutant, TestChoice>()
  for (const { file, functions } of probed) {
    const group = groups.get(file) ?? []
    const related = relatedTests(graph, file).map(({ test }) => test)
    const reaching = (mutant: Mutant) => reachingTests(mutant, functions, related, measurer.measurements)
    for (let at = 0; at < Math.min(related.length, tests); at += NEAREST) {
      const enough = at < NEAR ? NEAREST : 1
      // The nearest are always measured: tests of other files may reach the code too, but know less about it.
      if (at > 0 && group.every((mutant) => reaching(mutant).length >= enough)) break
      await measurer.measure(related.slice(at, at + NEAREST))
    }
    for (const mutant of group) choices.set(mutant, chooseTests(reaching(mutant), budgetMs))
  }
  await measurer.stop()
  for (const { restore } of probed) restore()
  return choices
}

function putProbes(
  file: string,
  folders: readonly string[],
): { file: string; functions: readonly SourceFunction[]; restore(): void } {
  const copies = folders.map((folder) => {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const probed = withProbes(file, text, reachedList(folder))
    writeFileSync(path, probed.text)
    return { functions: probed.functions, restore: () => writeFileSync(path, text) }
  })
  return {
    file,
    functions: copies[0]?.functions ?? [],
    restore: () => {
      for (const { restore } of copies) restore()
    },
  }
}
