import { describe, expect, it } from 'vitest'
import { importGraph, programTests, relatedTests } from '../../../scripts/mutate/import-graph.ts'

const TREE: Readonly<Record<string, string>> = {
  'src/plan/cut.ts': '',
  'src/plan/keep.ts': "import { cut } from './cut.ts'",
  'src/types.ts': "import type { Cut } from './plan/cut.ts'",
  'src/main.ts': "export * from './plan/keep.ts'",
  'build.mjs': "bundle('src/main.ts')",
  'test/plan/cut.test.ts': "import { cutAll } from './support.ts'",
  'test/plan/support.ts': "export { cut } from '../../src/plan/cut.ts'",
  'test/plan/keep.test.ts': "import { keep } from '../../src/plan/keep.ts'",
  'test/direct.test.ts': "import { cut } from '../src/plan/cut.ts'\nimport { keep } from '../src/plan/keep.ts'",
  'test/plan/near.test.ts': "import { cut } from '../../src/plan/cut.ts'",
  'test/plan/far.test.ts': "import './far.ts'",
  'test/plan/inner/far.test.ts': "import '../far.ts'",
  'test/plan/far.ts': "import './farther.ts'",
  'test/plan/farther.ts': "export * from '../../src/main.ts'",
  'test/types.test.ts': "import '../src/types.ts'",
  'test/made-up.test.ts': "put('src/plan/cut.ts')",
  'test/starts.test.ts': "spawn(resolve(import.meta.dirname, '../src/main.ts'))",
  'test/program.test.ts': "import { run } from './run.ts'",
  'test/run.ts': "import { inject } from 'vitest'",
  'test/setup.ts': "await import('../build.mjs')",
  'vitest.config.ts': "setup({ globalSetup: 'test/setup.ts' })",
}
const graph = importGraph(Object.keys(TREE), (path) => TREE[path] ?? '')

describe('the tests related to a file', () => {
  it('are those that run it, the nearest first', () => {
    expect(relatedTests(graph, 'src/plan/cut.ts').map(({ test }) => test)).toEqual([
      'test/plan/cut.test.ts',
      'test/plan/far.test.ts',
      'test/plan/keep.test.ts',
      'test/plan/near.test.ts',
      'test/direct.test.ts',
      'test/plan/inner/far.test.ts',
      'test/starts.test.ts',
      'test/program.test.ts',
    ])
  })

  it('are not those that need only its types', () => {
    expect(relatedTests(graph, 'src/types.ts')).toEqual([{ test: 'test/types.test.ts', distance: 0 }])
  })

  it('need the program to be built again when they get it from the global setup', () => {
    expect([...programTests(graph)]).toEqual(['test/program.test.ts'])
  })
})
