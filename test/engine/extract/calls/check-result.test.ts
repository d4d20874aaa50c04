import { describe, expect, it } from 'vitest'
import { checkName, checkResult, hidesExit } from '../../../../src/engine/extract/calls/check-result.ts'

describe('the exit status of a command', () => {
  it.each(['npm test 2>&1 | tail -5', 'make | grep -c warning', 'npx vitest | tee log'])('is hidden by %s', (command) =>
    expect(hidesExit(command)).toBe(true),
  )
  it.each(['npm test', 'set -o pipefail; npm test | tail', 'a | b', 'npm test || true'])(
    'is not hidden by %s',
    (command) => expect(hidesExit(command)).toBe(false),
  )
})

describe('what a check counts', () => {
  it('says whether it failed', () => {
    expect(checkResult('npm test | tail', ' Tests  3 passed (3)')).toMatchObject({ failed: false })
    expect(checkResult('npm test | tail', ' Tests  1 failed | 3 passed (4)')).toMatchObject({ failed: true })
    expect(checkResult('npm test | tail', 'some words')).toBeUndefined()
    expect(checkResult('cat notes.txt', 'Tests 1 failed')).toBeUndefined()
  })

  it.each([
    "src/lease.ts(44,3): error TS2353: 'renew' does not exist in type 'Lease'.",
    'error[E0425]: cannot find value `lease` in this scope',
    'lease.c:12:5: error: unknown type name',
    'npm error command failed',
  ])('or that it came to no count: %s', (line) => {
    expect(checkResult('npm run build 2>&1 | tail -3', `${line}\nsome words`)).toEqual({ lines: [line], failed: true })
    expect(checkResult('cat out.log', line)).toBeUndefined()
  })
})

it('the same check has the same name', () => {
  for (const command of ['npm test', 'cd /repo && npm test', 'npm test 2>&1 | tail -20', '# try\nnpm test 2>&1'])
    expect(checkName(command)).toBe('npm test')
})
