import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ContentStore, keptHash } from '../../../src/agent/checkpoints/content-store.ts'

function contentStore(): ContentStore {
  const folder = mkdtempSync(join(tmpdir(), 'pith-contents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return new ContentStore(join(folder, 'kept'))
}

it('a content is kept by its hash, readable by the user alone, and leaves no draft', async () => {
  const contents = contentStore()
  const hash = contents.put(Buffer.from('text'))
  expect(hash).toBe(keptHash(Buffer.from('text')))
  expect((await contents.get(hash))?.toString()).toBe('text')
  expect(contents.has(hash)).toBe(true)
  expect(statSync(contents.pathOf(hash)).mode & 0o777).toBe(0o600)
  expect(statSync(contents.folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(contents.folder)).toEqual(['contents'])
})

it('a content that is there already is not written again, but counts as used now', () => {
  const contents = contentStore()
  const hash = contents.put(Buffer.from('text'))
  utimesSync(contents.pathOf(hash), 1, 1)
  expect(contents.put(Buffer.from('text'))).toBe(hash)
  contents.put(Buffer.from('more text'))
  expect(contents.added).toBe(4 + 9)
  expect(Date.now() - statSync(contents.pathOf(hash)).mtimeMs).toBeLessThan(60_000)
})

it('a content that is not there is undefined, also under a name that is not a hash', async () => {
  const contents = contentStore()
  const hash = contents.put(Buffer.from('text'))
  const other = keptHash(Buffer.from('other'))
  expect(contents.has(other)).toBe(false)
  for (const name of [other, '', '../../x', `x${hash}`, `${hash}x`, `../contents/${hash.slice(0, 2)}/${hash}`])
    expect(await contents.get(name), name).toBeUndefined()
})

it('what a session names is listed for it', async () => {
  const contents = contentStore()
  await contents.refer('none', [])
  await contents.refer('s', ['a', 'b'])
  await contents.refer('s', ['c'])
  expect(readdirSync(join(contents.folder, 'refs'))).toEqual(['s'])
  expect(readFileSync(join(contents.folder, 'refs', 's'), 'utf8')).toBe('a\nb\nc\n')
  expect(statSync(join(contents.folder, 'refs', 's')).mode & 0o777).toBe(0o600)
})
