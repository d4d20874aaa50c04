import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { EntryDraft } from '../../../src/model/types.ts'
import { KeptSegments } from '../../../src/search/kept-segments.ts'
import { connectionConfig, createPool } from '../../../src/store/postgres/connection.ts'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import { searchEntries } from '../../../src/store/postgres/search.ts'
import { forgetDocs, INDEXING, indexWaitingEntries, mergeSegments } from '../../../src/store/postgres/search-index.ts'
import type { Store } from '../../../src/store/store.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { countingDeps } from '../../support/store.ts'
import { UNINDEXED } from './unindexed.ts'

let server: TestPostgres

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server?.stop())

describe('the index of words in PostgreSQL', () => {
  it('an entry is found while it waits to be indexed, and by the same search after that', async () => {
    const { store, sql } = await start()
    const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
    await store.append(id, [said('the retry limit is five'), said('no limit'), said('nothing')])
    const search = () => store.search({ text: 'limit retry', owner: 'ann' })
    const before = await search()
    expect(before).toMatchObject({ hits: [{ session: id, seq: 1, also: [2] }], total: 2, searched: 3 })
    await indexed(sql)
    expect(await sql('SELECT owner, count FROM search_segments')).toEqual([{ owner: 'ann', count: 3 }])
    expect(await search()).toEqual(before)
    await store.append(id, [said('a limit once more')])
    expect(await search()).toMatchObject({ total: 3, searched: 4 })
  })

  it('a word that was indexed is in no table after its entry was redacted, and its neighbours are still found', async () => {
    const { store, sql } = await start()
    const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
    await store.append(id, [said('the word is sesame'), said('the word is open')])
    const fork = await store.createSession({ owner: 'ann', workspace: '/w', parent: { id, seq: 1 } })
    await indexed(sql)
    expect(await tablesWith(sql, 'sesame')).toEqual(['entries', 'search_blocks'])
    await store.redact(fork.id, [1])
    expect(await tablesWith(sql, 'sesame')).toEqual([])
    expect(await seqsOf(store, 'word')).toEqual([2])
    expect(await seqsOf(store, 'redacted')).toEqual([1])
    await indexed(sql)
    expect(await seqsOf(store, 'redacted')).toEqual([1])
  })

  it('a word that was indexed is in no table after its session was deleted', async () => {
    const { store, sql } = await start()
    const [one, two] = [
      await store.createSession({ owner: 'ann', workspace: '/w' }),
      await store.createSession({ owner: 'ann', workspace: '/w' }),
    ]
    await store.append(one.id, [said('sesame and corn')])
    await store.append(two.id, [said('corn')])
    await indexed(sql)
    await store.deleteSession(one.id)
    expect(await tablesWith(sql, 'sesame')).toEqual([])
    expect(await seqsOf(store, 'corn')).toEqual([1])
    await store.deleteSession(two.id)
    expect(await sql('TABLE search_segments')).toEqual([])
    expect(await sql('TABLE search_waiting')).toEqual([])
  })

  it('a redaction that comes while the entry is being indexed leaves no word of it', async () => {
    const { store, sql, client } = await start()
    const indexer = await client()
    await indexAlone(indexer)
    const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
    await store.append(id, [said('the word is sesame')])
    await indexer.query('BEGIN')
    await indexWaitingEntries(indexer, 'leave')
    const redacted = store.redact(id, [1])
    await expect.poll(() => sql(WAITING_FOR_LOCK)).toHaveLength(1)
    await indexer.query('COMMIT')
    await redacted
    expect(await tablesWith(sql, 'sesame')).toEqual([])
  })

  it('a redaction that comes while segments are merged leaves no word of the entry', async () => {
    const { store, sql, client } = await start()
    const [redaction, merger] = [await client(), await client()]
    await indexAlone(merger)
    const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
    for (let i = 1; i <= 9; i++) {
      await store.append(id, [said(`the word is sesame${i}`)])
      await indexWaitingEntries(merger, 'wait')
    }
    const never = new AbortController().signal
    await redaction.query('BEGIN')
    await forgetDocs(redaction, [{ session_id: id, seq: 3 }])
    const merged = mergeSegments(merger, never)
    await expect.poll(() => sql(WAITING_FOR_LOCK)).toHaveLength(1)
    await redaction.query('COMMIT')
    expect(await merged).toBe(false)
    expect(await tablesWith(sql, 'sesame3')).toEqual(['entries'])
    expect(await mergeSegments(merger, never)).toBe(true)
    expect(await tablesWith(sql, 'sesame3')).toEqual(['entries'])
    expect(await sql('SELECT count FROM search_segments')).toEqual([{ count: 8 }])
    expect((await store.search({ text: 'word' })).total).toBe(8)
  })

  it('many entries of several owners are merged, and each owner finds and counts only its own', async () => {
    const { store, sql } = await start()
    const [ann, bob] = [
      await store.createSession({ owner: 'ann', workspace: '/w' }),
      await store.createSession({ owner: 'bob', workspace: '/w' }),
    ]
    const drafts = (name: string) => Array.from({ length: 500 }, (_, i) => said(`${name} counts ${i}`))
    for (let i = 0; i < 5; i++) await store.append(ann.id, drafts('ann'))
    await store.append(bob.id, drafts('bob'))
    await indexed(sql)
    await expect.poll(() => sql('SELECT FROM search_segments WHERE count > 1000'), PATIENT).toHaveLength(1)
    const found = await store.search({ text: 'counts 7', owner: 'ann' })
    expect(found).toMatchObject({ total: 2_500, searched: 2_500 })
    expect(found.hits.slice(0, 5).map(({ seq }) => seq)).toEqual([2_008, 1_508, 1_008, 508, 8])
    expect(await store.search({ text: 'counts', owner: 'bob' })).toMatchObject({ total: 500, searched: 500 })
    expect(await store.search({ text: 'bob', owner: 'ann' })).toMatchObject({ hits: [], total: 0 })
  })
})

describe('a search right after a large import into PostgreSQL', () => {
  it('says how many entries of its owner are not indexed yet, and indexes those of nobody else', async () => {
    const { store, sql, url } = await start()
    for (const [owner, entries] of [
      ['bob', 450],
      ['ann', 300],
    ] as const) {
      const { id } = await store.createSession({ owner, workspace: '/w' })
      await store.append(
        id,
        Array.from({ length: entries }, () => said('much was said')),
      )
    }
    await store.close()
    const pool = createPool(url, {})
    onTestFinished(() => pool.end())
    const search = (helpMs?: number) =>
      searchEntries(
        pool,
        { hasTexts: false, wake: () => {} },
        new KeptSegments(),
        { text: 'said', owner: 'ann' },
        helpMs,
      )
    expect(await search(-1)).toMatchObject({ searched: 200, waiting: 100 })
    const whole = await search()
    expect(whole).toMatchObject({ searched: 300 })
    expect(whole).not.toHaveProperty('waiting')
    expect(
      await sql(
        'SELECT owner, count(*)::integer AS entries FROM search_waiting JOIN sessions ON id = session_id GROUP BY 1',
      ),
    ).toContainEqual({ owner: 'bob', entries: 450 })
  })
})

describe('a PostgreSQL database of an older version', () => {
  it('is searched by phrase until its entries are indexed, with those that are appended meanwhile', async () => {
    const { store, sql, id } = await startOld(['cherry tree', 'apple tree'])
    await store.append(id, [said('a pear tree')])
    const before = await store.search({ text: 'r tree' })
    expect(before.hits.map(({ seq }) => seq)).toEqual([3])
    expect(before.waiting).toBe(3)
    expect(await seqsOf(store, 'tree apple')).toEqual([])
    await expect
      .poll(() => sql(`SELECT to_regclass('search_texts_folded') AS texts`), PATIENT)
      .toEqual([{ texts: null }])
    expect(await seqsOf(store, 'tree apple')).toEqual([2])
    expect((await store.search({ text: 'tree' })).total).toBe(3)
    expect(await sql('TABLE search_texts')).toEqual([])
    await store.append(id, [said('a plum tree')])
    expect(await sql('TABLE search_texts')).toEqual([])
    expect((await store.search({ text: 'plum' })).total).toBe(1)
  })

  it('loses nothing that a process of that version writes while the index is built, and after that', async () => {
    const { store, sql, id } = await startOld(['cherry'])
    const oldAppend = async (seq: number, text: string) => {
      const body = JSON.stringify({ ...said(text), id: `old-${seq}`, seq, at: 1 })
      await sql(`INSERT INTO entries (session_id, seq, id, at, type, body, changes_view, opens_turn)
        VALUES ('${id}', ${seq}, 'old-${seq}', 1, 'message', '${body}', false, true)`)
      await sql(`INSERT INTO search_texts (session_id, seq, folded) VALUES ('${id}', ${seq}, '${text}')`)
      await sql(`UPDATE sessions SET last_seq = ${seq} WHERE id = '${id}'`)
    }
    await oldAppend(2, 'sesame')
    expect(await seqsOf(store, 'sesame')).toEqual([2])
    await expect
      .poll(() => sql(`SELECT to_regclass('search_texts_folded') AS texts`), PATIENT)
      .toEqual([{ texts: null }])
    await oldAppend(3, 'sesame again')
    expect((await store.search({ text: 'sesame' })).total).toBe(2)
    await indexed(sql)
    // As a redaction of that version does.
    await sql(`UPDATE entries SET body = replace(body, 'sesame', 'gone') WHERE seq = 3`)
    expect((await store.search({ text: 'sesame' })).total).toBe(1)
    expect((await store.search({ text: 'gone' })).total).toBe(1)
    await sql(`DELETE FROM entries WHERE seq = 2`)
    expect((await store.search({ text: 'sesame' })).total).toBe(0)
    expect(await tablesWith(sql, 'sesame')).toEqual([])
  })
})

/** The background waits a second, and a busy machine longer. */
const PATIENT = { timeout: 30_000 }

const WAITING_FOR_LOCK = 'SELECT FROM pg_locks WHERE NOT granted'

type Sql = (text: string) => Promise<unknown[]>

async function start(url?: string) {
  const address = url ?? (await server.readyUrl())
  const store = await openPostgres(address, countingDeps())
  const client = async () => {
    const one = new pg.Client(connectionConfig(address))
    await one.connect()
    onTestFinished(() => one.end())
    return one
  }
  onTestFinished(() => store.close())
  const connection = await client()
  const sql: Sql = async (text) => (await connection.query(text)).rows
  return { store, sql, client, url: address }
}

/** A store on a database that the version before the index of words has left. */
async function startOld(texts: readonly string[]) {
  const url = await server.url()
  const { store: old, sql } = await start(url)
  const { id } = await old.createSession({ owner: 'ann', workspace: '/w' })
  await old.append(id, texts.map(said))
  await old.close()
  await sql(`${UNINDEXED}; CREATE INDEX entries_newest ON entries (at); DELETE FROM pith_schema WHERE version >= 12`)
  for (const [i, text] of texts.entries()) await sql(`INSERT INTO search_texts VALUES ('${id}', ${i + 1}, '${text}')`)
  return { ...(await start(url)), id }
}

function said(text: string): EntryDraft {
  return { type: 'message', message: { role: 'user', content: text } }
}

/** The store indexes and merges in the background a second after an append: on a busy machine that is in the middle of a test. */
async function indexAlone(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [INDEXING])
}

async function indexed(sql: Sql): Promise<void> {
  await expect.poll(() => sql('TABLE search_waiting'), PATIENT).toEqual([])
}

async function seqsOf(store: Store, text: string): Promise<number[]> {
  return (await store.search({ text })).hits.map(({ seq }) => seq)
}

/** The tables that have a word anywhere. */
async function tablesWith(sql: Sql, word: string): Promise<string[]> {
  const tables = (await sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)) as {
    tablename: string
  }[]
  const found: string[] = []
  for (const { tablename } of tables) {
    const rows = await sql(`SELECT FROM ${tablename} t WHERE t::text ILIKE '%${word}%'`)
    if (rows.length > 0) found.push(tablename)
  }
  return found
}
