import { expect, it } from 'vitest'
import { type Sandbox, stoppedText } from '../../../src/agent/sandbox/sandbox.ts'

const sandbox: Sandbox = { name: 'bubblewrap', hasNetwork: true, enforces: () => false, wrap: (program) => program }

it('a write that was stopped is reported, also when a later command of the line succeeded', () => {
  const stopped = 'bash: line 1: /usr/local/a.txt: Read-only file system\ninside.txt\n'
  for (const exit of [0, 1]) expect(stoppedText(sandbox, stopped, exit)).toContain('outsideSandbox: true')
})

it('a command that succeeded and only mentions such errors is not reported as stopped', () => {
  for (const output of [
    'grep: 3 hits for EROFS\n',
    'A read-only file system is mounted.\n',
    'operation not permitted\n',
  ]) {
    expect(stoppedText(sandbox, output, 0)).toBeUndefined()
  }
})

it.each(['Read-only file system', 'read-only filesystem', 'Error: EROFS', 'Operation not permitted'])(
  'a command that failed with %s may have been stopped by the wall',
  (text) => {
    expect(stoppedText(sandbox, `${text}\n`, 1)).toBe(
      '(the sandbox of commands does not allow writing outside of the workspace. If it has to be, call bash with outsideSandbox: true: the user is asked)',
    )
  },
)

it.each(['Could not resolve host', 'Temporary failure in name resolution', 'Network is unreachable', 'ENETUNREACH'])(
  'a command that failed with %s was stopped only by a wall without network',
  (text) => {
    expect(stoppedText({ ...sandbox, hasNetwork: false }, text, 1)).toContain('does not allow the network')
    expect(stoppedText(sandbox, text, 1)).toBeUndefined()
  },
)

it('a command that failed for another reason, or long before its end, is not reported as stopped', () => {
  expect(stoppedText({ ...sandbox, hasNetwork: false }, 'no such file\n', 1)).toBeUndefined()
  expect(stoppedText(sandbox, `EROFS\n${'x'.repeat(20_000)}`, 1)).toBeUndefined()
  expect(stoppedText(sandbox, `EROFS\n${'x'.repeat(19_000)}`, 1)).toBeDefined()
})
