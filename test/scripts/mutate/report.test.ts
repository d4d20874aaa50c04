import { expect, it } from 'vitest'
import { mutantsOf } from '../../../scripts/mutate/mutants.ts'
import { report, scoreOf } from '../../../scripts/mutate/report.ts'
import type { Outcome } from '../../../scripts/mutate/trial.ts'

const mutants = mutantsOf('src/plan/cut.ts', 'const a = b && !c\nconst d = e || true')
const survived = { kind: 'survived', tests: ['a.test.ts', 'b.test.ts'] } as const
const outcomes: readonly Outcome[] = [{ kind: 'killed', by: 'a test' }, { kind: 'timeout' }, survived, survived]
const trials = mutants.map((mutant, index) => ({ mutant, outcome: outcomes[index] ?? survived, ms: 1 }))
const accepted = [
  { file: 'src/plan/cut.ts', before: 'const d = e || true', after: 'const d = e || false', reason: 'nobody sees d' },
]

it('an accepted survivor is shown with its reason and does not count', () => {
  expect(scoreOf(trials, accepted)).toEqual({ killed: 1, timeout: 1, survived: 1, accepted: 1, percent: 66.6 })
  expect(report(trials, accepted).split('\n')).toEqual([
    'src/plan/cut.ts:2:13  operator  || → &&  (2 tests ran)',
    '    - const d = e || true',
    '    + const d = e && true',
    'src/plan/cut.ts:2:16  value  true → false',
    '    accepted: nobody sees d',
    '',
    'src/plan: 66.6% (1 killed, 1 timed out, 1 survived, 1 accepted)',
  ])
})
