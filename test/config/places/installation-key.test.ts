import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installationKey, knownKey } from '../../../src/config/places/installation-key.ts'

test('the key is made once, for its owner alone, and no other file is left', () => {
  const folder = join(temporaryFolder(), 'deep', 'folder')

  const key = installationKey(folder)

  expect(key).toHaveLength(32)
  expect(installationKey(folder)).toEqual(key)
  expect(readdirSync(folder)).toEqual(['gateway.key'])
  expect(statSync(join(folder, 'gateway.key')).mode & 0o077).toBe(0)
})

test('a program that only looks for the key makes none', () => {
  const folder = temporaryFolder()
  expect(knownKey(folder)).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
  expect(installationKey(folder)).toEqual(knownKey(folder))
})

test('two installations have two keys', () => {
  expect(installationKey(temporaryFolder())).not.toEqual(installationKey(temporaryFolder()))
})

test('a file that does not hold a key is named, and not replaced', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'gateway.key'), 'short\n')

  expect(() => installationKey(folder)).toThrow(/gateway\.key does not hold a key/)
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
