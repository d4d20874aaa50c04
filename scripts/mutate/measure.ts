import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestProcess, testProcess } from './test-process.ts'

/** The measurement of a test that ran without a mutant. */
export type Measurement =
  | { readonly kind: 'passed'; readonly ms: number; readonly reached: ReadonlySet<string> }
  | { readonly kind: 'failed' }

const TIMEOUT_MS = 300_000

/** The file in a copy of the tree to which its probes write. */
export function reachedList(folder: string): string {
  return join(folder, '.reached')
}

export type Measurer = {
  readonly folders: readonly string[]
  readonly measurements: ReadonlyMap<string, Measurement>
  measure(tests: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** Runs each test once, one at a time in each copy of the tree, and notes how long it takes and what it reaches. */
export function measurer(folders: readonly string[], note: (test: string, measurement: Measurement) => void): Measurer {
  const workers = folders.map((folder) => ({ folder, process: testProcess(folder) }))
  const measurements = new Map<string, Measurement>()
  return {
    folders,
    measurements,
    async measure(tests) {
      const waiting = tests.filter((test) => !measurements.has(test))
      const work = async ({ folder, process }: (typeof workers)[number]) => {
        for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
          const measurement = await measureOne(test, folder, process)
          measurements.set(test, measurement)
          note(test, measurement)
        }
      }
      await Promise.all(workers.map(work))
    },
    async stop() {
      await Promise.all(workers.map(({ process }) => process.stop()))
    },
  }
}

async function measureOne(test: string, folder: string, process: TestProcess): Promise<Measurement> {
  const list = reachedList(folder)
  rmSync(list, { force: true })
  const result = await process.run({ tests: [test], rebuild: false }, TIMEOUT_MS)
  const ran = result === 'timeout' || result.killedBy !== undefined ? undefined : result.ran[0]
  if (ran === undefined) return { kind: 'failed' }
  const reached = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  return { kind: 'passed', ms: ran.ms, reached: new Set(reached) }
}
