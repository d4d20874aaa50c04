import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ContentStore, collectGarbage } from '../../../src/agent/checkpoints/content-store.ts'

const DAY = 24 * 3_600_000
const now = Date.now()

function contentStore(): ContentStore {
  const folder = mkdtempSync(join(tmpdir(), 'pith-contents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return new ContentStore(folder)
}

/** A content of that many bytes and of that age, which a session names. */
async function kept(contents: ContentStore, letter: string, size: number, ageMs: number, session?: string) {
  const hash = contents.put(Buffer.from(letter.repeat(size)))
  const at = new Date(now - ageMs)
  utimesSync(contents.pathOf(hash), at, at)
  if (session === undefined) return hash
  await contents.refer(session, [hash])
  utimesSync(join(contents.folder, 'refs', session), at, at)
  return hash
}

const sessions = (...stored: readonly string[]) => ({
  storedAmong: async (ids: readonly string[]) => new Set(ids.filter((id) => stored.includes(id))),
})

const still = (contents: ContentStore, hashes: readonly string[]) => hashes.map((hash) => contents.has(hash))

it('contents of sessions that are gone are deleted, those of a parent whose entries a fork shares are not', async () => {
  const contents = contentStore()
  const hashes = [
    await kept(contents, 'a', 10, 2 * DAY, 'alive'),
    await kept(contents, 'b', 10, 2 * DAY, 'gone'),
    await kept(contents, 'c', 10, 2 * DAY, 'parent'),
    await kept(contents, 'd', 10, 2 * DAY),
    await kept(contents, 'e', 10, 0),
  ]
  const store = sessions('alive', 'parent')
  await collectGarbage(contents, { store, current: 'alive', mostBytes: 1_000, now })
  expect(still(contents, hashes)).toEqual([true, false, true, false, true])
})

it('above the limit the sessions that kept nothing for the longest time lose theirs, the open one never', async () => {
  const contents = contentStore()
  const hashes = [
    await kept(contents, 'a', 600, 9 * DAY, 'open'),
    await kept(contents, 'b', 300, 3 * DAY, 'newer'),
    await kept(contents, 'c', 300, 5 * DAY, 'older'),
    await kept(contents, 'd', 200, DAY / 2),
  ]
  const store = sessions('open', 'newer', 'older')
  await collectGarbage(contents, { store, current: 'open', mostBytes: 1_000, now })
  expect(still(contents, hashes)).toEqual([true, true, false, false])
})

it('a damaged content is not given back', async () => {
  const contents = contentStore()
  const hash = contents.put(Buffer.from('whole'))
  writeFileSync(contents.pathOf(hash), 'torn')
  expect(await contents.get(hash)).toBeUndefined()
  expect(contents.put(Buffer.from('whole'))).toBe(hash)
  expect((await contents.get(hash))?.toString()).toBe('whole')
})
