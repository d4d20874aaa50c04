import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { migrationsOf } from '../../../src/store/migrations.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let path = ''

beforeEach(async () => {
  temporary = await temporaryStore()
  path = `${temporary.path}.old`
})
afterEach(async () => {
  vi.useRealTimers()
  await temporary.remove()
})

it('an old database is searched by phrases until it is indexed again, then by words, and its old index is deleted', async () => {
  writeOld(['alpha one', 'beta two', ...Array.from({ length: 400 }, (_, i) => `filler ${i}`)])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const store = await openStore(path)
  const seqs = async (text: string) => (await store.search({ text })).hits.map(({ seq }) => seq)
  expect([await seqs('lpha o'), await seqs('one alpha'), await seqs('"beta two"')]).toEqual([[1], [], [2]])
  expect((await store.search({ text: 'beta' })).waiting).toBe(402)
  await store.append('s', [{ type: 'message', message: user('gamma three') }])
  expect(await seqs('amma th')).toEqual([403])
  vi.advanceTimersByTime(120_000)
  expect([await seqs('one alpha'), await seqs('"lpha o"'), await seqs('three gamma')]).toEqual([[1], [1], [403]])
  expect(await store.search({ text: 'beta' })).not.toHaveProperty('waiting')
  expect(tablesIn().filter((name) => String(name).startsWith('search'))).toEqual([])
  await store.close()
})

it('a redaction before an old database is indexed again leaves no piece in either index', async () => {
  writeOld(['alpha one', 'the xyzzyplugh', ...Array.from({ length: 400 }, (_, i) => `filler ${i}`)])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const store = await openStore(path)
  await store.redact('s', [2])
  expect((await store.search({ text: 'xyzzy' })).hits).toEqual([])
  expect((await store.search({ text: 'lpha o' })).hits).toMatchObject([{ seq: 1 }])
  vi.advanceTimersByTime(120_000)
  expect((await store.search({ text: 'xyzzyplugh' })).hits).toEqual([])
  expect((await store.search({ text: 'redacted' })).hits).toMatchObject([{ seq: 2 }])
  expect(bytes()).not.toContain('zzyplu')
  await store.close()
})

it('a redaction leaves no piece in the old index, although that answers until an old database is indexed again', async () => {
  writeOld(['the xyzzyplugh', ...Array.from({ length: 20_000 }, (_, i) => `filler ${i}`)])
  expect(isInOldIndex('xyz')).toBe(true)
  const store = await openStore(path)
  await store.redact('s', [1])
  await store.close()
  expect(tablesIn()).toContain('search')
  expect(isInOldIndex('xyz')).toBe(false)
})

it('processes that end soon index an old database together', async () => {
  writeOld(['alpha one', ...Array.from({ length: 400 }, (_, i) => `filler ${i}`)])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const indexed = () => Number(read('SELECT indexed FROM index_progress')[0]?.indexed)
  await (await openStore(path)).close()
  const first = indexed()
  expect(first).toBeGreaterThan(0)
  for (let i = 0; i < 200 && tablesIn().includes('search'); i++) await (await openStore(path)).close()
  expect(tablesIn()).not.toContain('search')
  expect(indexed()).toBe(401)
})

function read(sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path)
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

function tablesIn(): unknown[] {
  return read('SELECT name FROM sqlite_schema').map(({ name }) => name)
}

function bytes(): string {
  const rows = [...read('SELECT terms FROM index_blocks'), ...read('SELECT body FROM entries')]
  return JSON.stringify(rows)
}

/** Looks for three letters in the pages of the index, deleted or not. */
function isInOldIndex(letters: string): boolean {
  return read('SELECT block FROM search_data').some(({ block }) => Buffer.from(block as Uint8Array).includes(letters))
}

/** A database as it was before it had an index of words. */
function writeOld(texts: readonly string[]): void {
  const database = new DatabaseSync(path)
  const old = migrationsOf('sqlite').slice(0, 9)
  for (const { sql } of old) database.exec(sql)
  database.exec(`PRAGMA user_version = 9;
    INSERT INTO sessions (id, owner, workspace, created_at, updated_at, last_seq, revision)
    VALUES ('s', 'ann', '/repo', 1, 1, ${texts.length}, 0)`)
  database.exec('BEGIN')
  const insert = database.prepare(
    `INSERT INTO entries (session_id, seq, id, type, asks, body) VALUES ('s', ?, ?, 'message', 1, ?)`,
  )
  const index = database.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)')
  for (const [i, text] of texts.entries()) {
    const entry: Entry = { id: `e${i}`, seq: i + 1, at: 1, type: 'message', message: user(text) }
    insert.run(entry.seq, entry.id, JSON.stringify(entry))
    index.run(entry.seq, text)
  }
  database.exec(`UPDATE search_progress SET indexed = ${texts.length}; COMMIT`)
  database.close()
}
