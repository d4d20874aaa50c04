import { expect, it } from 'vitest'
import { failuresIn } from '../../../src/engine/extract/known-index.ts'
import { emptyIndex } from '../../../src/model/facts/log-index.ts'
import type { CommandFact } from '../../../src/model/types.ts'

const passed = (command: string, seq = 20) => ({ command, seq, runs: 1, ok: true })
const failed = (command: string) => ({ text: 'Error: it did not work', seq: 10, command })
const failureOf = (command: string, ...commands: CommandFact[]) =>
  failuresIn({ ...emptyIndex, errors: [failed(command)], commands })[0]
const fateOf = (command: string, then: string) => failureOf(command, passed(then))?.fate.kind

it('a check is fixed by one that includes it, not by a command that only names tests', () => {
  const check = 'npx playwright test a.spec.ts'
  expect(fateOf(check, 'npx playwright test')).toBe('fixed')
  expect(fateOf(check, 'curl -s http://localhost:3000/auth/test-login')).toBe('open')
})

it('a failed check stays open until one of its kind runs again; another command only for a while', () => {
  expect(failureOf('npm test', passed('ls', 900))?.isOpen).toBe(true)
  expect(failureOf('npm test', { command: 'make check', seq: 900, runs: 1 })?.isOpen).toBe(false)
  expect(failureOf('./tool', passed('ls', 30))?.isOpen).toBe(true)
  expect(failureOf('./tool', passed('ls', 900))?.isOpen).toBe(false)
})
