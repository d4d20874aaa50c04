import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mutantsOf } from '../../../scripts/mutate/mutants.ts'
import type { TestRequest, TestResult } from '../../../scripts/mutate/test-process.ts'
import { tryMutant } from '../../../scripts/mutate/trial.ts'

const SOURCE = 'export const one = 1\n'
const NEAR = 'test/one.test.ts'
const PROGRAM = 'test/programs/run.test.ts'

/** Tries a mutant with tests that end like this, one run after the other. */
async function tried(tests: readonly string[], ends: readonly (string | undefined | 'timeout')[]) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-trial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'one.ts'), SOURCE)
  const [mutant] = mutantsOf('one.ts', SOURCE)
  if (mutant === undefined) throw new Error('there is a mutant of a number')
  const requests: TestRequest[] = []
  const process = {
    stop: async () => {},
    run: async (request: TestRequest): Promise<TestResult | 'timeout'> => {
      expect(readFileSync(join(folder, 'one.ts'), 'utf8')).not.toBe(SOURCE)
      const end = ends[requests.length]
      requests.push(request)
      return end === 'timeout' ? end : { ran: [], ...(end !== undefined && { killedBy: end }) }
    },
  }
  const workplace = { folder, process, programTests: new Set([PROGRAM]) }
  const { outcome } = await tryMutant(mutant, { tests, ms: 1 }, workplace)
  expect(readFileSync(join(folder, 'one.ts'), 'utf8')).toBe(SOURCE)
  return { outcome: outcome.kind, runs: requests.map((request) => request.tests) }
}

describe('a mutant', () => {
  it('is killed by one failure of a test that imports the code', async () => {
    expect(await tried([NEAR], [`${NEAR} > is one`])).toEqual({ outcome: 'killed', runs: [[NEAR]] })
  })

  it('survives when no test fails, those of the program last', async () => {
    expect(await tried([PROGRAM, NEAR], [])).toEqual({ outcome: 'survived', runs: [[NEAR], [PROGRAM]] })
  })

  it.each([
    ['no test is named', NEAR, 'an error outside the tests'],
    ['a file could not be run', NEAR, NEAR],
    ['it is a test of a program', PROGRAM, `${PROGRAM} > runs`],
  ])('is tried again if %s, for the machine may have been too slow', async (_, test, end) => {
    expect(await tried([test], [end, end])).toEqual({ outcome: 'killed', runs: [[test], [test]] })
    expect(await tried([test], [end])).toEqual({ outcome: 'survived', runs: [[test], [test]] })
  })

  it('that hangs is noticed', async () => {
    expect(await tried([NEAR], ['timeout'])).toMatchObject({ outcome: 'timeout' })
  })
})
