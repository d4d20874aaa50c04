import { expect, it } from 'vitest'
import { type Sandbox, stoppedText } from '../../../src/agent/sandbox/sandbox.ts'

const sandbox: Sandbox = { name: 'bubblewrap', hasNetwork: true, wrap: (program) => program }

it('a write that was stopped is told of, also when a later command of the line succeeded', () => {
  const stopped = 'bash: line 1: /usr/local/a.txt: Read-only file system\ninside.txt\n'
  for (const exit of [0, 1]) expect(stoppedText(sandbox, stopped, exit)).toContain('outsideSandbox: true')
})

it('a command that succeeded and only speaks of such errors is not told that it was stopped', () => {
  for (const output of [
    'grep: 3 hits for EROFS\n',
    'A read-only file system is mounted.\n',
    'operation not permitted\n',
  ]) {
    expect(stoppedText(sandbox, output, 0)).toBeUndefined()
  }
})
