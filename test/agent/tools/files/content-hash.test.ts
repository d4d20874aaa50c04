import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contentHash, largeFileHash } from '../../../../src/agent/tools/files/stored-file.ts'

const MB = 1024 * 1024

it('a content is known again by sixteen characters, as text or as bytes', () => {
  expect(contentHash('a')).toBe(contentHash(Buffer.from('a')))
  expect(contentHash('a')).toMatch(/^[0-9a-f]{16}$/)
  expect(contentHash('a')).not.toBe(contentHash('b'))
})

describe('the hash of a large file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-hash-'))

  /** The hash of a file of that many bytes with these texts at some places in it. */
  async function hashOf(size: number, texts: Readonly<Record<number, string>>, time = 1): Promise<string> {
    const path = join(folder, 'file')
    writeFileSync(path, '')
    truncateSync(path, size)
    const file = await open(path, 'r+')
    for (const [at, text] of Object.entries(texts)) await file.write(text, Number(at))
    await file.close()
    utimesSync(path, time, time)
    const reading = await open(path, 'r')
    try {
      return await largeFileHash(reading)
    } finally {
      await reading.close()
    }
  }

  it('sees its size, its time, its head and its tail, not what is between', async () => {
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const plain = await hashOf(3 * MB, {})
    expect(plain).toMatch(/^[0-9a-f]{16}$/)
    expect(await hashOf(3 * MB, {})).toBe(plain)
    for (const other of [
      await hashOf(3 * MB + 1, {}),
      await hashOf(3 * MB, {}, 2),
      await hashOf(3 * MB, { 0: 'x' }),
      await hashOf(3 * MB, { [MB - 1]: 'x' }),
      await hashOf(3 * MB, { [2 * MB]: 'x' }),
      await hashOf(3 * MB, { [3 * MB - 1]: 'x' }),
    ]) {
      expect(other).not.toBe(plain)
    }
    expect(await hashOf(3 * MB, { [MB]: 'x', [2 * MB - 1]: 'x' })).toBe(plain)
    expect(await hashOf(10, {})).toMatch(/^[0-9a-f]{16}$/)
  })
})
