import { expect, it } from 'vitest'
import { testCounts } from '../../../../src/engine/extract/ledger/test-counts.ts'

it.each<[runner: string, output: string, passed: number, failed: number]>([
  ['vitest', ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 25 passed (26)\n', 25, 1],
  ['vitest', ' Test Files  2 passed (2)\n      Tests  25 passed (25)\n', 25, 0],
  ['jest', 'Test Suites: 1 failed, 1 total\nTests:       2 failed, 7 passed, 9 total', 7, 2],
  ['cargo', 'test result: ok. 10 passed; 0 failed; 0 ignored\ntest result: FAILED. 3 passed; 1 failed;', 13, 1],
  ['Maven', 'Tests run: 4, Failures: 1\nTests run: 10, Failures: 1, Errors: 0', 9, 1],
  ['.NET', 'Passed!  - Failed:     0, Passed:    10, Skipped:     0', 10, 0],
  ['unittest', 'Ran 12 tests in 0.1s\n\nFAILED (failures=1, errors=2)', 9, 3],
  ['node', '# tests 12\n# pass 10\n# fail 2', 10, 2],
  ['rspec', '10 examples, 1 failure', 9, 1],
  ['pytest', '=== 1 failed, 5 passed in 0.12s ===', 5, 1],
  ['mocha', '  25 passing (1s)\n  1 failing', 25, 1],
  ['bun', ' 12 pass\n 0 fail', 12, 0],
  ['go', '--- FAIL: TestA (0.00s)\n--- PASS: TestB (0.00s)\n--- PASS: TestC (0.00s)', 2, 1],
])('%s: %j', (_, output, passed, failed) => expect(testCounts(output)).toEqual({ passed, failed }))

it('has no counts for an output that counts no tests', () => {
  expect(testCounts('ok  \tpkg\t0.1s\nall good')).toBeUndefined()
})
