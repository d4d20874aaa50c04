import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isDead, ownHolder } from '../../../src/session/compaction/hold-lease.ts'

describe('a holder', () => {
  it('is dead when it is a process of this machine that is gone, whatever comes before its name', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0'])
    expect(isDead(`${hostname()}:${pid}`)).toBe(true)
    expect(isDead(`turn:12@${hostname()}:${pid}`)).toBe(true)
    expect(isDead(`ann@example.com@${hostname()}:${pid}`)).toBe(true)
  })

  it('is not dead when it is this process, or one that is still there', () => {
    expect(isDead(ownHolder())).toBe(false)
    expect(isDead(`turn:12@${ownHolder()}`)).toBe(false)
    expect(isDead(`${hostname()}:${process.ppid}`)).toBe(false)
  })

  it('is not known to be dead when it is on another machine, or has no process', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0'])
    expect(isDead(`elsewhere:${pid}`)).toBe(false)
    expect(isDead(`${hostname()}:${2 ** 40}`)).toBe(false)
    expect(isDead('a test')).toBe(false)
    expect(isDead('')).toBe(false)
  })
})
