import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAtomically } from '../../../../src/agent/tools/files/stored-file.ts'
import { TestWorkspace } from '../support.ts'

const modeOf = (path: string) => statSync(path).mode & 0o7777

describe('a file that is written in one step', () => {
  it('is made with the folders that it needs, and nothing else is left there', async () => {
    const { folder } = new TestWorkspace()
    await writeAtomically(join(folder, 'a/b/c.txt'), 'text')
    await writeAtomically(join(folder, 'a/b/d.bin'), Buffer.from([0, 255]))
    expect(readFileSync(join(folder, 'a/b/c.txt'), 'utf8')).toBe('text')
    expect([...readFileSync(join(folder, 'a/b/d.bin'))]).toEqual([0, 255])
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['c.txt', 'd.bin'])
    expect(modeOf(join(folder, 'a/b/c.txt'))).toBe(0o666 & ~process.umask())
  })

  it('has the rights that it is given, whatever the user’s mask', async () => {
    const { folder } = new TestWorkspace()
    const path = join(folder, 'run.sh')
    writeFileSync(path, 'old')
    chmodSync(path, 0o777)
    await writeAtomically(path, 'new', statSync(path).mode)
    expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['new', 0o777])
    await writeAtomically(join(folder, 'own'), 'x', 0o640)
    expect(modeOf(join(folder, 'own'))).toBe(0o640)
  })

  it('leaves no files if it cannot be put in its place', async () => {
    const { folder } = new TestWorkspace()
    mkdirSync(join(folder, 'taken/inside'), { recursive: true })
    await expect(writeAtomically(join(folder, 'taken'), 'x')).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['taken'])
  })
})
