import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

/** More than are read at once. */
const MANY = 600

async function session(): Promise<{ store: Store; id: string; path: string }> {
  const { store, path, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const drafts = Array.from({ length: MANY }, (_, i) => ({
    type: 'message' as const,
    message: user(`message ${i + 1}`),
  }))
  await store.append(id, drafts)
  return { store, id, path }
}

it('a log that is longer than what is read at once comes whole, in parts, from the end and by its numbers', async () => {
  const { store, id } = await session()
  const seqs = async (query: Parameters<Store['entries']>[1]) =>
    (await store.entries(id, query)).entries.map(({ seq }) => seq)
  const all = Array.from({ length: MANY }, (_, i) => i + 1)
  expect(await seqs({})).toEqual(all)
  expect(await seqs({ from: 100, upTo: 500 })).toEqual(all.slice(99, 500))
  for (const limit of [0, 1, 255, 256, 257, 512, 513, MANY + 1])
    expect(await seqs({ limit })).toEqual(all.slice(0, limit))
  expect(await seqs({ limit: 2.9 })).toEqual([1, 2])
  expect(await seqs({ limit: -1 })).toEqual([])
  expect(await seqs({ order: 'newest', limit: 3 })).toEqual([598, 599, 600])
  expect(await seqs({ order: 'newest', from: 10, upTo: 12, limit: 2 })).toEqual([11, 12])
  expect(await seqs({ seqs: all })).toEqual(all)
  expect(await seqs({ seqs: [600, 3, 7], limit: 2 })).toEqual([3, 7])
})

it('the log of a fork is read over the border to its parent', async () => {
  const { store, id } = await session()
  const fork = await store.createSession({ owner: 'ann', workspace: '/repo', parent: { id, seq: 300 } })
  await store.append(fork.id, [{ type: 'message', message: user('in the fork') }])
  const seqs = async (query: Parameters<Store['entries']>[1]) =>
    (await store.entries(fork.id, query)).entries.map(({ seq }) => seq)
  expect(await seqs({ from: 299 })).toEqual([299, 300, 301])
  expect(await seqs({ from: 299, limit: 2 })).toEqual([299, 300])
  expect(await seqs({ order: 'newest', limit: 2 })).toEqual([300, 301])
  expect(await seqs({ seqs: [1, 300, 301] })).toEqual([1, 300, 301])
})

it('rows that cannot be read are named beside the others, in every order', async () => {
  const { store, id, path } = await session()
  const database = new DatabaseSync(path)
  database.exec("UPDATE entries SET body = '{' WHERE seq IN (2, 599)")
  const ids = database.prepare('SELECT id FROM entries WHERE seq IN (2, 599) ORDER BY seq').all()
  database.close()
  for (const query of [{}, { order: 'newest' }] as const) {
    const { entries, bad } = await store.entries(id, query)
    expect(entries).toHaveLength(MANY - 2)
    expect(bad.map((row) => ({ seq: row.seq, id: row.id }))).toEqual([
      { seq: 2, id: ids[0]?.id },
      { seq: 599, id: ids[1]?.id },
    ])
  }
})

it('a redaction of an entry that is not there is refused', async () => {
  const { store, id } = await session()
  await expect(store.redact(id, [MANY + 1])).rejects.toMatchObject({ code: 'unknown-entry' })
})
