import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { withFileLock } from '../../../src/agent/permissions/rules-file.ts'

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'a.lock')
}

it('nothing is done while another process holds the lock, and in the end one line says so', async () => {
  const path = lockPath()
  writeFileSync(path, '')
  const soon = new Date(Date.now() + 60_000)
  utimesSync(path, soon, soon)
  let worked = false
  const work = async () => {
    worked = true
  }
  await expect(withFileLock(path, work, 30)).rejects.toMatchObject({
    code: 'store-unwritable',
    message: `${path} is held by another process: try again, or remove it if none runs`,
  })
  expect(worked).toBe(false)
  expect(existsSync(path)).toBe(true)
})

it('the lock is given back when the work fails', async () => {
  const path = lockPath()
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(path)).toBe(false)
})

it('nothing is done if no lock can be made, and the reason is given at once', async () => {
  const path = join(lockPath(), 'there-is-no-such-folder')
  await expect(withFileLock(path, async () => 'worked')).rejects.toMatchObject({ code: 'ENOENT' })
})
