import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { keptProcess } from '../support/shared-process.ts'

it('what a test changes in the process is named, and as before', () => {
  const state = () => [process.cwd(), process.env.HOME, process.exitCode, process.stdout.write, console.warn, fetch]
  const before = state()
  const putBack = keptProcess()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-gone-')))
  process.chdir(folder)
  rmSync(folder, { recursive: true })
  process.env.HOME = folder
  process.env.PITH_LEFT_BEHIND = 'yes'
  process.exitCode = 7
  process.stdout.write = () => true
  vi.spyOn(console, 'warn')
  vi.useFakeTimers()
  globalThis.fetch = async () => Response.error()
  process.once('SIGTERM', () => {})
  const signals = process.listenerCount('SIGTERM')
  expect(new Set(putBack())).toEqual(
    new Set([
      'process.env.HOME',
      'process.env.PITH_LEFT_BEHIND',
      'process.cwd()',
      'timers',
      'listeners for SIGTERM',
      'process.exitCode',
      'process.stdout.write',
      'console.warn',
      'globalThis.fetch',
    ]),
  )
  expect(state()).toEqual(before)
  expect(process.env).not.toHaveProperty('PITH_LEFT_BEHIND')
  expect(process.listenerCount('SIGTERM')).toBe(signals - 1)
  expect(vi.isFakeTimers()).toBe(false)
  expect(keptProcess()()).toEqual([])
})
