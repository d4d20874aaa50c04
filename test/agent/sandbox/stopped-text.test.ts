import { expect, it } from 'vitest'
import type { Sandbox } from '../../../src/agent/sandbox/sandbox.ts'
import { stoppedText } from '../../../src/agent/sandbox/stopped-text.ts'

const sandbox: Sandbox = {
  name: 'bubblewrap',
  hasNetwork: true,
  secrets: () => [{ path: '.aws', shown: '~/.aws', names: ['/home/ada/.aws', '~/.aws'] }],
  enforces: () => false,
  wrap: (program) => program,
}

it('a write that was stopped is reported, also when a later command of the line succeeded', () => {
  const stopped = 'bash: line 1: /usr/local/a.txt: Read-only file system\ninside.txt\n'
  for (const exit of [0, 1])
    expect(stoppedText(sandbox, { output: stopped, exit, never: [] })).toContain('outsideSandbox: true')
})

it('a command that succeeded and only mentions such errors is not reported as stopped', () => {
  for (const output of [
    'grep: 3 hits for EROFS\n',
    'A read-only file system is mounted.\n',
    'operation not permitted\n',
  ]) {
    expect(stoppedText(sandbox, { output, exit: 0, never: [] })).toBeUndefined()
  }
})

it.each(['Read-only file system', 'read-only filesystem', 'Error: EROFS', 'Operation not permitted'])(
  'a command that failed with %s may have been stopped by the wall',
  (text) => {
    expect(stoppedText(sandbox, { output: `${text}\n`, exit: 1, never: [] })).toBe(
      '(the sandbox of commands does not allow writing outside of the workspace. If it has to be, call bash with outsideSandbox: true: the user is asked)',
    )
  },
)

it.each(['Could not resolve host', 'Temporary failure in name resolution', 'Network is unreachable', 'ENETUNREACH'])(
  'a command that failed with %s was stopped only by a wall without network',
  (text) => {
    expect(stoppedText({ ...sandbox, hasNetwork: false }, { output: text, exit: 1, never: [] })).toContain(
      'does not allow the network',
    )
    expect(stoppedText(sandbox, { output: text, exit: 1, never: [] })).toBeUndefined()
  },
)

it('a command that failed for another reason, or long before its end, is not reported as stopped', () => {
  expect(
    stoppedText({ ...sandbox, hasNetwork: false }, { output: 'no such file\n', exit: 1, never: [] }),
  ).toBeUndefined()
  expect(stoppedText(sandbox, { output: `EROFS\n${'x'.repeat(20_000)}`, exit: 1, never: [] })).toBeUndefined()
  expect(stoppedText(sandbox, { output: `EROFS\n${'x'.repeat(19_000)}`, exit: 1, never: [] })).toBeDefined()
})
