// Runs tests in the folder it is started in, with one Vitest that stays warm: starting it costs more than most tests.
import { resolve } from 'node:path'
import { createVitest, type TestModule, type TestProject, type TestSpecification } from 'vitest/node'
import type { TestRequest, TestResult } from './test-process.ts'

class InGivenOrder {
  sort(specifications: TestSpecification[]): TestSpecification[] {
    return specifications
  }

  shard(specifications: TestSpecification[]): TestSpecification[] {
    return specifications
  }
}

let result: TestResult = { ran: [] }
const vitest = await createVitest('test', {
  mode: 'all',
  watch: false,
  bail: 1,
  maxWorkers: 1,
  sequence: { sequencer: InGivenOrder },
  reporters: [
    {
      onTestRunEnd(modules, errors, reason) {
        const killedBy = reason === 'passed' && errors.length === 0 ? undefined : firstFailure(modules)
        result = { ran: modules.map(timeOf), ...(killedBy !== undefined && { killedBy }) }
      },
    },
  ],
})
const specifications = await vitest.globTestSpecifications()
let changed: string | undefined

process.on('message', async (request: TestRequest) => process.send?.(await run(request)))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function run(request: TestRequest): Promise<TestResult> {
  result = { ran: [] }
  // The file of the last request is itself again, and the one of this request is another.
  for (const file of [changed, request.changed]) if (file !== undefined) vitest.invalidateFile(resolve(file))
  changed = request.changed
  const wanted = new Map(specifications.map((specification) => [specification.moduleId, specification]))
  const chosen = request.tests.flatMap((test) => wanted.get(resolve(test)) ?? [])
  try {
    if (request.rebuild) for (const project of vitest.projects) await setUpAgain(project)
    await vitest.runTestSpecifications(chosen)
  } catch (error) {
    result = { ran: [], killedBy: `the run itself: ${error}` }
  }
  return result
}

/** Vitest does the global setup once, but a program that was built there has to contain the mutant. */
async function setUpAgain(project: TestProject): Promise<void> {
  for (const file of project.config.globalSetup) {
    const module = await project.import<{ default(project: TestProject): Promise<unknown> }>(file)
    await module.default(project)
  }
}

function timeOf(module: TestModule): TestResult['ran'][number] {
  const { collectDuration, prepareDuration, environmentSetupDuration, setupDuration, duration } = module.diagnostic()
  return {
    test: module.relativeModuleId,
    ms: collectDuration + prepareDuration + environmentSetupDuration + setupDuration + duration,
    passed: module.state() !== 'failed',
  }
}

function firstFailure(modules: readonly TestModule[]): string {
  const failed = modules.find((module) => module.state() === 'failed')
  if (failed === undefined) return 'an error outside the tests'
  const [test] = failed.children.allTests('failed')
  return [failed.relativeModuleId, ...(test === undefined ? [] : [test.fullName])].join(' > ')
}
