import { expect, it } from 'vitest'
import { choicesFor } from '../../../scripts/mutate/choices.ts'
import { importGraph } from '../../../scripts/mutate/import-graph.ts'
import type { Measurement } from '../../../scripts/mutate/measure.ts'
import { mutantsOf } from '../../../scripts/mutate/mutants.ts'

const far = ['test/p.test.ts', 'test/q.test.ts', 'test/r.test.ts', 'test/s.test.ts']
const TREE: Readonly<Record<string, string>> = {
  'src/a.ts': "import './b.ts'\nexport const a = true",
  'src/b.ts': 'export const b = true',
  'test/b.test.ts': "import '../src/b.ts'",
  ...Object.fromEntries(far.map((test) => [test, "import '../src/a.ts'"])),
}

it('the own test of a file runs, also when the tests of another file reach it', async () => {
  const graph = importGraph(Object.keys(TREE), (path) => TREE[path] ?? '')
  const mutants = ['src/a.ts', 'src/b.ts'].flatMap((file) => mutantsOf(file, TREE[file] ?? ''))
  const measurements = new Map<string, Measurement>()
  const measurer = {
    folders: [],
    measurements,
    measure: async (tests: readonly string[]) => {
      for (const test of tests) measurements.set(test, { kind: 'passed', ms: 1, reached: new Set() })
    },
    stop: async () => {},
  }
  const choices = await choicesFor(mutants, graph, measurer, { budgetMs: 1_000, tests: 8 })
  expect([...choices.values()].map(({ tests }) => tests)).toEqual([far, ['test/b.test.ts', ...far]])
})
