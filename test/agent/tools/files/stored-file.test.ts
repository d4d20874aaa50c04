import { chmodSync, truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkKnown, contentHash, storedFile } from '../../../../src/agent/tools/files/stored-file.ts'
import { filePlaceOf } from '../../../../src/agent/workspace.ts'
import { TestWorkspace } from '../support.ts'

describe('a file that is about to be changed', () => {
  it('has its text, its hash and its rights', async () => {
    const space = new TestWorkspace()
    chmodSync(space.put('a.txt', '\uFEFFtext'), 0o750)
    const file = await storedFile(await filePlaceOf(space.folder, 'a.txt'))
    expect(file).toEqual({ text: '\uFEFFtext', hash: contentHash('\uFEFFtext'), mode: expect.any(Number) })
    expect((file?.mode ?? 0) & 0o777).toBe(0o750)
    expect(await storedFile(await filePlaceOf(space.folder, 'b.txt'))).toBeUndefined()
  })

  it('has no text if it is not UTF-8 or too large to be read', async () => {
    const space = new TestWorkspace()
    space.put('bytes', Buffer.from([0xff, 0xfe]))
    expect(await storedFile(await filePlaceOf(space.folder, 'bytes'))).toMatchObject({
      text: undefined,
      hash: contentHash(Buffer.from([0xff, 0xfe])),
    })
    truncateSync(space.put('large', ''), 32 * 1024 * 1024 + 1)
    const large = await filePlaceOf(space.folder, 'large')
    await expect(storedFile(large)).rejects.toThrow('large has 34 MB, too much to read: use grep or a command')
  })

  it('must be known as it is now', async () => {
    const space = new TestWorkspace()
    space.put('a.txt', 'text')
    const place = await filePlaceOf(space.folder, 'a.txt')
    const file = await storedFile(place)
    if (file === undefined) throw new Error('the file is there')
    const check = () => checkKnown(place, file, space.context)
    await expect(check()).rejects.toThrow('a.txt exists and you have not read it: read it first')
    space.seen.set('a.txt', 'another')
    await expect(check()).rejects.toThrow('a.txt has changed since you last saw it: read it again first')
    space.seen.set('a.txt', file.hash)
    await expect(check()).resolves.toBeUndefined()
  })
})
