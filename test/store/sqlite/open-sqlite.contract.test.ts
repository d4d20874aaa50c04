import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { full } from '../../support/full.ts'
import { copyEmptyStore } from '../../support/new-store.ts'
import { sharedStoreContract, storeContract } from '../contract.ts'

let folder = ''
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pith-contract-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `${++files}.db`)

// The same code without a file: only in the long form.
if (full) storeContract('SQLite in memory', (deps) => openSqlite(':memory:', deps))

// In the short form a copy of an empty one; the tests of two stores make theirs.
storeContract('SQLite in a file', async (deps) => {
  const path = newFile()
  if (!full) await copyEmptyStore(path)
  return openSqlite(path, deps)
})

sharedStoreContract('two stores on one SQLite file', async () => {
  const path = newFile()
  return (deps) => openSqlite(path, deps)
})

it('a redaction leaves nothing in the files, neither while the store is open nor after', async () => {
  const path = newFile()
  const store = await openSqlite(path, { ids: () => `id${++files}`, clock: () => 1_700_000_000_000 })
  const { id } = await store.createSession({ owner: 'ann', workspace: '/work' })
  const drafts = ['before', 'xyzzy-plugh-42', 'after'].map((content) => {
    return { type: 'message' as const, message: { role: 'user' as const, content } }
  })
  await store.append(id, drafts)
  expect(await bytesOf(path)).toContain('xyzzy-plugh-42')
  await store.redact(id, [2])
  const open = await bytesOf(path)
  await store.close()
  expect({ open: open.includes('xyzzy-plugh'), closed: (await bytesOf(path)).includes('xyzzy-plugh') }).toEqual({
    open: false,
    closed: false,
  })
})

it('a redaction leaves no piece of a text in the search index, as soon as there is a pause', async () => {
  const path = newFile()
  const store = await openSqlite(path, { ids: () => `id${++files}`, clock: () => 1_700_000_000_000 })
  const { id } = await store.createSession({ owner: 'ann', workspace: '/work' })
  // So many rows are indexed at once.
  const drafts = Array.from({ length: 600 }, (_, i) => (i === 7 ? 'the key is ЖQЖ-plugh-42' : `text ${i}`)).map(
    (content) => ({ type: 'message' as const, message: { role: 'user' as const, content } }),
  )
  await store.append(id, drafts)
  // The index has names as one word in lower case.
  const piece = Buffer.from('жqжplugh42').toString('latin1')
  expect(await bytesOf(path)).toContain(piece)
  await store.redact(id, [8])
  expect((await bytesOf(path)).toLowerCase()).not.toContain('plugh-42')
  await expect.poll(() => bytesOf(path), { timeout: 30_000 }).not.toContain(piece)
  await store.close()
})

/** The database with the files beside it. */
async function bytesOf(path: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(basename(path)))
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('\n')
}
