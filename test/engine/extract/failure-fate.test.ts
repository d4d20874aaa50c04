import { expect, it } from 'vitest'
import { failureFate } from '../../../src/engine/extract/failure-fate.ts'
import { emptyIndex } from '../../../src/model/facts/log-index.ts'

const passed = (command: string) => ({ ...emptyIndex, commands: [{ command, seq: 20, runs: 1, ok: true }] })
const failed = (command: string) => ({ text: 'Error: it did not work', seq: 10, command })

it('a check is mended by another check of its kind, not by a command that only names tests', () => {
  const error = failed('npx playwright test a.spec.ts')
  expect(failureFate(error, passed('npx playwright test b.spec.ts')).kind).toBe('mended')
  expect(failureFate(error, passed('curl -s http://localhost:3000/auth/test-login')).kind).toBe('open')
})

it('what ends well whatever happened mends nothing', () => {
  expect(failureFate(failed('docker ps'), passed('docker ps -a')).kind).toBe('mended')
  expect(failureFate(failed('docker ps'), passed('docker ps -a || echo none')).kind).toBe('open')
  expect(failureFate(failed('docker ps'), passed('docker ps --help')).kind).toBe('open')
})
