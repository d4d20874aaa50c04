import type { CommandFact } from '../../../model/types.ts'

export type TestCounts = NonNullable<CommandFact['tests']>

/** How many tests passed and failed, from the lines in which runners of many languages count them. */
export function testCounts(output: string): TestCounts | undefined {
  if (!MAY_COUNT.test(output)) return undefined
  for (const runner of RUNNERS) {
    const lines = output.match(runner.passed) ?? []
    const failures = output.match(runner.failed) ?? []
    if (lines.length === 0 && failures.length === 0) continue
    const failed = numberIn(failures, runner)
    const counted = numberIn(lines, runner)
    if (counted + failed === 0) return undefined
    return { passed: runner.countsAll === true ? Math.max(0, counted - failed) : counted, failed }
  }
  return undefined
}

type Runner = {
  readonly passed: RegExp
  readonly failed: RegExp
  /** The number of `passed` is that of all tests. */
  readonly countsAll?: true
  /** There is one line for each part of the tests, and no total. */
  readonly inParts?: true
}

const RUNNERS: readonly Runner[] = [
  // vitest: Tests  1 failed | 25 passed (26)
  { passed: /^\s{0,20}Tests\s{2,20}.{0,80}?\b\d+ passed/gm, failed: /^\s{0,20}Tests\s{2,20}\d+ failed/gm },
  // jest: Tests:       1 failed, 25 passed, 26 total
  { passed: /^Tests:\s{1,20}.{0,80}?\b\d+ passed/gm, failed: /^Tests:\s{1,20}\d+ failed/gm },
  // cargo: test result: FAILED. 10 passed; 1 failed; 0 ignored
  { passed: /^test result: \w+\. \d+ passed/gm, failed: /^test result: .{1,40}?\b\d+ failed/gm, inParts: true },
  // Maven: Tests run: 10, Failures: 1, Errors: 0
  { passed: /\bTests run: \d+/g, failed: /\bFailures: \d+/g, countsAll: true },
  // .NET: Failed: 0, Passed: 10
  { passed: /\bPassed:\s{1,10}\d+/g, failed: /\bFailed:\s{1,10}\d+/g, inParts: true },
  // unittest: Ran 12 tests in 0.1s … FAILED (failures=1, errors=2)
  { passed: /^Ran \d+ tests?/gm, failed: /\b(?:failures|errors)=\d+/g, countsAll: true, inParts: true },
  // node --test: # pass 10
  { passed: /^[#ℹ] pass \d+/gm, failed: /^[#ℹ] fail \d+/gm },
  // rspec: 10 examples, 1 failure
  { passed: /\b\d+ examples?(?=, )/g, failed: /\b\d+ failures?\b/g, countsAll: true },
  // Swift: Executed 10 tests, with 1 failure
  { passed: /\bExecuted \d+ tests?/g, failed: /\bwith \d+ failures?/g, countsAll: true },
  // pytest: 5 passed, 1 failed · mocha: 25 passing · bun: 12 pass
  { passed: /\b\d+ (?:tests? )?pass(?:ed|ing)?\b/g, failed: /\b\d+ (?:tests? )?fail(?:ed|ing|ures?)?\b/g },
  // go: --- FAIL: TestX, and --- PASS: with -v
  { passed: /^--- PASS: /gm, failed: /^\s{0,20}--- FAIL: /gm, inParts: true },
]

/** Every line of a runner contains one of these. Most output has none, so the other patterns are skipped. */
const MAY_COUNT =
  /\d (?:tests? )?(?:pass|fail|example)|(?:Passed|Failed|Failures|Tests run):|(?:failures|errors)=|(?:Ran|Executed|pass|fail) \d|--- (?:PASS|FAIL): /

function numberIn(lines: readonly string[], { inParts }: Runner): number {
  const counted = inParts === true ? lines : lines.slice(-1)
  // The last number of a line counts. A line without a number is one test.
  return counted.reduce((sum, line) => sum + Number(/\d+(?=\D*$)/.exec(line)?.[0] ?? 1), 0)
}
