import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ripgrepPath } from '../../src/agent/bounded-ripgrep.ts'

const NOWHERE = () => undefined

it('ripgrep is the one that was installed with Pith', () => {
  expect(ripgrepPath('')).toMatch(/ripgrep-\w+-\w+[\\/]bin[\\/]rg(\.exe)?$/)
})

it('without that it is the one on the PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-rg-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, process.platform === 'win32' ? 'rg.exe' : 'rg')
  writeFileSync(file, '')
  chmodSync(file, 0o755)
  expect(ripgrepPath(folder, NOWHERE)).toBe(file)
})

it('without any the message says what to install', () => {
  expect(() => ripgrepPath('', NOWHERE)).toThrow(
    'ripgrep is needed to search files: install it, so that `rg` is on the PATH',
  )
})
