import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DISK_PROBE } from '../../../src/agent/permissions/permission-gate.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pith-look-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  mkdirSync(join(made, 'a/b'), { recursive: true })
  writeFileSync(join(made, 'a/b/c.txt'), '')
  writeFileSync(join(made, 'd.txt'), '')
  return made
}

describe('a probe of the files of a folder', () => {
  it('finds all that is below it, at any depth', () => {
    const root = folder()
    expect(DISK_PROBE.below(root)?.toSorted()).toEqual(
      ['a', 'a/b', 'a/b/c.txt', 'd.txt'].map((name) => join(root, name)),
    )
    expect(DISK_PROBE.below(join(root, 'nowhere'))).toEqual([])
    expect(DISK_PROBE.below(join(root, 'd.txt'))).toEqual([])
  })

  it('knows whether a file is there, also a link to nothing', () => {
    const root = folder()
    symlinkSync('nowhere', join(root, 'link'))
    expect(['a', 'd.txt', 'link', 'nowhere'].map((name) => DISK_PROBE.exists(join(root, name)))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('names what links to files lead to, and gives up at a link to a folder', () => {
    const root = folder()
    symlinkSync('../d.txt', join(root, 'a/file'))
    symlinkSync('nowhere', join(root, 'a/nothing'))
    expect(DISK_PROBE.below(join(root, 'a'))).toContain(join(realpathSync(root), 'd.txt'))
    expect(DISK_PROBE.below(root)).toContain(join(realpathSync(root), 'a/nowhere'))
    symlinkSync(tmpdir(), join(root, 'a/b/out'))
    expect(DISK_PROBE.below(root)).toBeUndefined()
  })
})
