import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pith } from '../support/cli.ts'
import { type ConfigFolders, configFolders } from '../support/config-folders.ts'

describe('a command in the process of the tests', () => {
  const shared = () => ({
    folder: process.cwd(),
    home: process.env.HOME,
    variables: Object.keys(process.env).toSorted(),
    code: process.exitCode,
    write: process.stdout.write,
    listeners: process.listenerCount('SIGINT'),
  })
  const before = shared()
  let given: ConfigFolders
  let gateway: Promise<unknown>

  it('may still run when its test ends, as one does that ran out of time', async () => {
    given = configFolders()
    gateway = pith(given, ['gateway', '--port', '0'])
    gateway.catch(() => {})
    await expect.poll(() => process.listenerCount('SIGINT')).toBeGreaterThan(before.listeners)
    expect(process.cwd()).toBe(given.workspace)
  })

  it('is then ended, and leaves the next test nothing', async () => {
    expect(existsSync(given.workspace)).toBe(false)
    expect(shared()).toEqual(before)
    await expect(gateway).rejects.toThrow('gateway --port 0 still ran when its test ended')
  })
})
