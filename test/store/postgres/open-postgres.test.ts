import { setImmediate as immediate } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'
import { createPool } from '../../../src/store/postgres/connection.ts'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import {
  type AppendOptions,
  type LogChange,
  type SearchQuery,
  SIGNAL_MS,
  type Store,
  type StoreDeps,
} from '../../../src/store/store.ts'
import { startFreezingProxy } from '../../support/freezing-proxy.ts'
import { oldSignals } from '../../support/old-signals.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { countingDeps } from '../../support/store.ts'
import { UNINDEXED } from './unindexed.ts'

let server: TestPostgres
const open: { close(): Promise<void> }[] = []

beforeAll(async () => {
  server = await startPostgres()
})

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

afterAll(() => server?.stop())

describe('the PostgreSQL store', () => {
  it('two stores on one database hear of each other', async () => {
    const url = await server.readyUrl()
    const [a, b] = [await store(url, 'a'), await store(url, 'b')]
    const [heardByA, heardByB] = [heard(a), heard(b)]
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    await b.append(session.id, [said('one'), said('two')])
    await a.append(session.id, [said('three')])
    const all = [1, 2, 3].map((seq) => ({ session: session.id, seq }))
    await expect.poll(() => [heardByA, heardByB]).toEqual([all, all])
  })

  it('a listener that throws or rejects disturbs no other', async () => {
    const a = await store(await server.readyUrl())
    a.subscribe(() => {
      throw new Error('broken')
    })
    a.subscribe(async () => {
      throw new Error('broken')
    })
    const changes = heard(a)
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    await a.append(session.id, [said('one')])
    await expect.poll(() => changes).toHaveLength(1)
  })

  it('appends from while the connection was down are reported once it is back', async () => {
    const url = await server.readyUrl()
    const [a, b] = [await store(url, 'a'), await store(url, 'b')]
    const changes = heard(a)
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    await a.append(session.id, [said('one')])
    await expect.poll(() => changes).toHaveLength(1)
    await execute(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN pith'`)
    await b.append(session.id, [said('two'), said('three')])
    await b.append(session.id, [said('four')])
    await expect.poll(() => changes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    await b.append(session.id, [said('five')])
    await expect.poll(() => changes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  })

  it('a store that listens when somebody subscribes hears each append from then on', async () => {
    const url = await server.readyUrl()
    const [a, b] = [await store(url, 'a', 'when-subscribed'), await store(url, 'b', 'when-subscribed')]
    const { id } = await a.createSession({ owner: 'ann', workspace: '/w' })
    await b.append(id, [said('one')])
    const changes = heard(a)
    await a.hearing?.()
    await b.append(id, [said('two')])
    await expect.poll(() => changes).toEqual([{ session: id, seq: 2 }])
    await execute(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN pith'`)
    await b.append(id, [said('three')])
    await expect.poll(() => changes.map(({ seq }) => seq)).toEqual([2, 3])
  })

  it('an append sends a notice only while a store listens', async () => {
    const url = await server.readyUrl()
    const client = new pg.Client(url)
    open.push({ close: () => client.end() })
    await client.connect()
    const notices: string[] = []
    client.on('notification', ({ payload }) => notices.push(payload ?? ''))
    await client.query('LISTEN pith')
    const quiet = await store(url, 'a', 'when-subscribed')
    const { id } = await quiet.createSession({ owner: 'ann', workspace: '/w' })
    await quiet.append(id, [said('one')])
    const always = await openPostgres(url, countingDeps())
    await quiet.append(id, [said('two')])
    await always.close()
    await quiet.append(id, [said('three')])
    // Of a process that was killed.
    await execute(url, 'INSERT INTO listening VALUES (0)')
    await quiet.append(id, [said('four')])
    quiet.subscribe(() => undefined)
    await quiet.hearing?.()
    await quiet.append(id, [said('five')])
    const seqs = () => notices.map((notice) => JSON.parse(notice).seq)
    await expect.poll(seqs).toEqual([2, 4, 5])
    expect(await execute(url, 'SELECT count(*)::int FROM listening')).toEqual([{ count: 1 }])
  })

  it('a subscriber waits for appends that began before it', async () => {
    const url = await server.readyUrl()
    const a = await store(url, 'a', 'when-subscribed')
    const { id } = await a.createSession({ owner: 'ann', workspace: '/w' })
    const writer = new pg.Client(url)
    open.push({ close: () => writer.end() })
    await writer.connect()
    await writer.query('BEGIN')
    const { rowCount } = await writer.query(
      `SELECT pith_append_each_heard(0, ARRAY[$1], ARRAY[NULL], ARRAY[NULL], ARRAY[NULL], ARRAY[NULL], ARRAY[-1::bigint], ARRAY[NULL],
        ARRAY['e'], ARRAY[0], ARRAY['message'], ARRAY[$2], ARRAY[$3], ARRAY[NULL], ARRAY[false], ARRAY[true], ARRAY[''])`,
      [id, '{"type":"message","id":"e","at":0,"message":{"role":"user","content":"one"},"seq":', '}'],
    )
    expect(rowCount).toBe(1)
    let isHearing = false
    a.subscribe(() => undefined)
    const hearing = a.hearing?.().then(() => {
      isHearing = true
    })
    const waiting = `SELECT locktype FROM pg_locks WHERE NOT granted`
    await expect.poll(() => execute(url, waiting)).toEqual([{ locktype: 'advisory' }])
    expect(isHearing).toBe(false)
    await writer.query('COMMIT')
    await hearing
    expect((await a.entries(id)).entries).toMatchObject([{ seq: 1, message: { content: 'one' } }])
  })

  it('a signal that was sent while the connection was down arrives once it is back, each once', async () => {
    const url = await server.readyUrl()
    const [a, b] = [await store(url, 'a'), await store(url, 'b')]
    const bodies: string[] = []
    a.receiveSignals(({ body }) => bodies.push(body) < 0)
    const { id: session } = await a.createSession({ owner: 'ann', workspace: '/w' })
    await b.sendSignal({ session, kind: 'test', body: 'one' })
    await expect.poll(() => bodies).toEqual(['one'])
    await execute(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%FROM signals WHERE id%'`,
    )
    await b.sendSignal({ session, kind: 'test', body: 'two' })
    await expect.poll(() => bodies).toEqual(['one', 'two'])
    await b.sendSignal({ session, kind: 'test', body: 'three' })
    await expect.poll(() => bodies).toEqual(['one', 'two', 'three'])
  })

  it('a signal is deleted when it was served, and when it is too old', async () => {
    const url = await server.readyUrl()
    const deps = countingDeps()
    const a = await openPostgres(url, deps)
    open.push(a)
    const { id: session } = await a.createSession({ owner: 'ann', workspace: '/w' })
    const signals = () => execute(url, 'SELECT body FROM signals ORDER BY id')
    await a.sendSignal({ session, kind: 'test', body: 'nobody serves it' })
    a.receiveSignals(({ body }) => body === 'mine')
    await a.sendSignal({ session, kind: 'test', body: 'mine' })
    await expect.poll(signals).toEqual([{ body: 'nobody serves it' }])
    deps.advance(SIGNAL_MS + 1_000)
    await a.sendSignal({ session, kind: 'test', body: 'new' })
    expect(await signals()).toEqual([{ body: 'new' }])
    await a.deleteSession(session)
    expect(await signals()).toEqual([])
  })

  it('an older schema keeps the places of signals that were entries, and these say nothing', async () => {
    const url = await server.url()
    const old = await openPostgres(url, countingDeps())
    const { id } = await old.createSession({ owner: 'ann', workspace: '/w' })
    const drafts = oldSignals(id, 1).map(({ id: _, seq: __, at: ___, ...draft }) => draft as EntryDraft)
    await old.append(id, drafts)
    await old.close()
    await execute(
      url,
      `DROP TABLE signals, chains, chain_holders, accounts, pauses; ${UNINDEXED}; DROP INDEX entries_with_text;
      DELETE FROM pith_schema WHERE version >= 3`,
    )
    const { entries, bad } = await (await store(url)).entries(id)
    expect(bad).toEqual([])
    expect(entries.map(({ type }) => type)).toEqual(['settings', 'settings', 'settings', 'attempt'])
    expect(Object.keys(entries[0] ?? {}).toSorted()).toEqual(['at', 'id', 'seq', 'type'])
  })

  it('a database of the version before continues to work, also when several processes upgrade it at once', async () => {
    const url = await server.url()
    const old = await openPostgres(url, countingDeps())
    const { id } = await old.createSession({ owner: 'ann', workspace: '/w' })
    await old.append(id, [said('old')], { key: 'k' })
    await old.close()
    await execute(
      url,
      `DROP FUNCTION pith_append; DROP FUNCTION pith_append_each; DROP TABLE accounts, pauses; ${UNINDEXED}; DROP INDEX entries_with_text;
      DELETE FROM pith_schema WHERE version >= 6`,
    )
    const [one, two] = await Promise.all([store(url, 'a'), store(url, 'b')])
    expect(await one.append(id, [said('old')], { key: 'k' })).toMatchObject({ ok: true, entries: [{ seq: 1 }] })
    expect(await two.append(id, [said('new')])).toMatchObject({ ok: true, entries: [{ seq: 2 }] })
    const { entries, bad } = await one.entries(id)
    expect(bad).toEqual([])
    expect(entries.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'message'],
      [2, 'message'],
    ])
  })

  it('stores that append at the same time give one order without gaps', async () => {
    const url = await server.readyUrl()
    const stores = [await store(url, 'a'), await store(url, 'b')]
    const session = await at(stores, 0).createSession({ owner: 'ann', workspace: '/w' })
    const changes = heard(at(stores, 0))
    const count = 60
    await Promise.all(
      Array.from({ length: count }, (_, i) => at(stores, i % 2).append(session.id, [said(`${i}a`), said(`${i}b`)])),
    )
    const { entries } = await at(stores, 1).entries(session.id)
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * count }, (_, i) => i + 1))
    const texts = entries.map((entry) => (entry.type === 'message' ? String(entry.message.content) : ''))
    for (let i = 0; i < texts.length; i += 2) expect(texts[i + 1]).toBe(texts[i]?.replace('a', 'b'))
    await expect.poll(() => changes.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq))
  })

  it('appends of many sessions at once share a commit, each with its own answer', async () => {
    const url = await server.readyUrl()
    const a = await store(url)
    const changes = heard(a)
    const ids = await sessionsIn(a, 30)
    const [first = '', second = ''] = ids
    const append = (id: string, text: string, key?: string) =>
      a.append(id, [said(text)], key === undefined ? {} : { key })
    await append(first, 'before', 'key')
    const all = await Promise.allSettled([
      ...ids.map((id) => append(id, `one of ${id}`)),
      append(first, 'again', 'key'),
      append(second, 'two'),
      a.append(second, [{ type: 'settings', title: 'Named' }]),
      append('nobody', 'lost'),
    ])
    const seqs = all.map((each) =>
      each.status === 'fulfilled' && each.value.ok ? each.value.entries[0]?.seq : 'refused',
    )
    expect(seqs).toEqual([2, ...ids.slice(1).map(() => 1), 1, 2, 3, 'refused'])
    expect((await a.entries(second)).entries).toMatchObject([
      { seq: 1, message: { content: `one of ${second}` } },
      { seq: 2, message: { content: 'two' } },
      { seq: 3, title: 'Named' },
    ])
    expect(await a.session(second)).toMatchObject({ lastSeq: 3, title: 'Named' })
    expect((await a.search({ text: `ONE OF ${second}` })).hits[0]).toMatchObject({ session: second, seq: 1 })
    await expect.poll(() => changes).toHaveLength(33)
    const [commits] = await execute(url, 'SELECT count(DISTINCT xmin::text)::int AS count FROM entries')
    expect(commits).toMatchObject({ count: expect.toSatisfy((count: number) => count < 10) })
  })

  it('a session that is locked, paused or refused by the database holds no other one up', async () => {
    const url = await server.readyUrl()
    const a = await store(url)
    const [locked = '', paused = '', refused = '', ...others] = await sessionsIn(a, 8)
    await execute(url, refusalOf(refused))
    const pause = await a.pauseAppends(paused, 10_000)
    const holder = new pg.Client(url)
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [locked])
    const waiting = [locked, paused].map((id) => a.append(id, [said('late')]))
    const refusal = expect(a.append(refused, [said('never')])).rejects.toThrow('not here')
    const done = await Promise.all(others.map((id) => a.append(id, [said('soon')])))
    expect(done.every(({ ok }) => ok)).toBe(true)
    await refusal
    expect(await Promise.all([a.session(locked), a.session(paused)])).toMatchObject([{ lastSeq: 0 }, { lastSeq: 0 }])
    await holder.query('COMMIT')
    await holder.end()
    await a.resumeAppends(paused, pause ?? '')
    expect(await Promise.all(waiting)).toMatchObject([{ ok: true }, { ok: true }])
  })

  it('an append that has begun is done, also when the group leaves it out and the store is closed meanwhile', async () => {
    const a = await openPostgres(await server.readyUrl(), countingDeps())
    const { id } = await a.createSession({ owner: 'ann', workspace: '/w' })
    await a.append(id, [said('one')], { key: 'key' })
    const late = Promise.all([a.append(id, [said('one')], { key: 'key' }), a.append(id, [said('two'), said('three')])])
    await Promise.all([expect(late).resolves.toMatchObject([{ ok: true }, { ok: true }]), a.close()])
  })

  it('a connection that falls silent holds up only its own appends, and doubles none that has a key', async () => {
    const { a, freeze, ids } = await storeBehindProxy()
    const [first = '', second = ''] = ids
    freeze('all')
    const lost = a.append(first, [said('lost')])
    // Requests that arrive together share a statement: this lets the first one go alone.
    await immediate()
    const unkeyed = await Promise.allSettled([lost, a.append(second, [said('one')])])
    const why = { code: 'store-unanswered', message: expect.stringMatching(UNKNOWN) }
    expect(unkeyed).toMatchObject([{ reason: why }, { value: { ok: true } }])
    freeze('answers')
    const keyed = a.append(first, [said('once')], { key: 'k' })
    await immediate()
    expect(await Promise.all([keyed, a.append(second, [said('two')])])).toMatchObject([{ ok: true }, { ok: true }])
    const logs = await Promise.all(ids.map(async (id) => (await a.entries(id)).entries.map(textOf)))
    expect(logs).toEqual([['once'], ['one', 'two']])
  })

  it.each<[string, number, AppendOptions]>([
    ['with a guard', 1, { guard: { since: 0, check: () => undefined } }],
    ['with a chain', 1, { chain: { holder: 'h', values: ['v'] } }],
    ['of more than 500 rows', 501, {}],
  ])('a network that falls silent ends an append %s in one line, too', async (_, rows, options) => {
    const { a, freeze, ids } = await storeBehindProxy()
    const [id = ''] = ids
    freeze('all')
    const drafts = Array.from({ length: rows }, () => said('lost'))
    const lost = await a.append(id, drafts, options).catch((error: unknown) => error)
    expect(lost).toMatchObject({ code: 'store-unwritable', message: expect.stringMatching(NO_ANSWER) })
    // The silent connection is given up, and the next one is not.
    expect(await a.append(id, drafts, options)).toMatchObject({ ok: true })
    expect((await a.entries(id)).entries).toHaveLength(rows)
  })

  it('a network that falls silent on every connection ends appends with a key or several entries in one line', async () => {
    const { a, freeze, ids } = await storeBehindProxy(3)
    const [first = '', second = ''] = ids
    freeze('all')
    const keyed = () => a.append(first, [said('once')], { key: 'k' })
    const why = { code: 'store-unanswered', message: expect.stringMatching(UNKNOWN) }
    expect(await Promise.allSettled([keyed(), a.append(second, [said('a'), said('b')])])).toMatchObject([
      { reason: why },
      { reason: why },
    ])
    expect(await keyed()).toMatchObject({ ok: true, entries: [{ seq: 1 }] })
  })

  it('of two commits that were planned on one revision the second is superseded', async () => {
    const url = await server.readyUrl()
    const [a, b] = [await store(url, 'a'), await store(url, 'b')]
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    await a.append(session.id, [said('one')])
    const mask: EntryDraft = { type: 'mask', targets: [1], tokensBefore: 2, tokensAfter: 1 }
    const both = await Promise.all([a, b].map((one) => one.append(session.id, [mask], { revision: 0 })))
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(both).toContainEqual({ ok: false, reason: 'superseded', revision: 2 })
  })

  it('of two appends with one key at the same time one is done', async () => {
    const url = await server.readyUrl()
    const [a, b] = [await store(url, 'a'), await store(url, 'b')]
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    const [first, second] = await Promise.all([a, b].map((one) => one.append(session.id, [said('x')], { key: 'k' })))
    expect(first).toEqual(second)
    expect((await a.session(session.id))?.lastSeq).toBe(1)
  })

  it('stores that open an empty database at the same time both open it', async () => {
    const url = await server.url()
    const stores = await Promise.all(['a', 'b', 'c'].map((name) => store(url, name)))
    for (const one of stores) expect(await one.sessions()).toEqual({ sessions: [] })
  })

  it('a newer schema is refused and left alone', async () => {
    const url = await server.url()
    await (await openPostgres(url, countingDeps())).close()
    await execute(url, 'INSERT INTO pith_schema VALUES (99)')
    await expect(openPostgres(url, countingDeps())).rejects.toMatchObject({
      code: 'store-newer',
      message: expect.stringMatching(/^postgres:\/\/127\.0\.0\.1:\d+\/pith_\d+ .*schema 99.*update Pith/),
    })
    expect(await execute(url, 'SELECT max(version) AS version FROM pith_schema')).toEqual([{ version: 99 }])
  })

  it('a server that is not there is one line without the password', async () => {
    await expect(openPostgres('postgres://ann:secret@127.0.0.1:1/x', countingDeps())).rejects.toMatchObject({
      code: 'store-unwritable',
      message: expect.stringMatching(/^postgres:\/\/127\.0\.0\.1:1\/x cannot be used \((?!.*secret)[^\n]+$/),
    })
  })

  it('NUL, lone surrogates and quotes come back as they were, and are found', async () => {
    const a = await store(await server.readyUrl())
    const text = 'a\0b \uD800 c \\u0000 \'"{}\\ \u{1F600} Ärger 設定'
    const session = await a.createSession({ owner: 'a\0', workspace: '/w', title: '\uD800x\0' })
    const appended = await a.append(session.id, [said(text), { type: 'settings', title: 't\0' }], { key: 'k\0' })
    const { entries, bad } = await a.entries(session.id)
    expect(bad).toEqual([])
    expect({ ok: true, entries }).toEqual(appended)
    expect(entries[0]).toMatchObject({ message: { content: text } })
    for (const query of ['ärger', 'ÄRGER', '設定', '"\\U0000"']) {
      expect((await a.search({ text: query })).hits, query).toHaveLength(1)
    }
    expect((await a.search({ text: '\0' })).hits).toEqual([])
    expect(await a.session('\0')).toBeUndefined()
  })

  it('of very many hits that are alike the newest is first, of all and of one owner', async () => {
    const a = await store(await server.readyUrl())
    const [ann, bob] = [
      await a.createSession({ owner: 'ann', workspace: '/w' }),
      await a.createSession({ owner: 'bob', workspace: '/w' }),
    ]
    const drafts = Array.from({ length: 500 }, (_, i) => said(i === 7 ? 'a rare common word' : 'a common word'))
    // Those of Bob are all older.
    for (let i = 0; i < 5; i++)
      await a.append(ann.id, drafts, { times: drafts.map((_, at) => 1_000_000 + i * 500 + at) })
    await a.append(bob.id, drafts.slice(0, 100), { times: drafts.slice(0, 100).map((_, at) => at) })
    const found = async (query: SearchQuery) =>
      (await a.search(query)).hits.map(({ session, seq }) => ({ session, seq }))
    const expected = (session: string, ...seqs: number[]) => seqs.map((seq) => ({ session, seq }))
    expect(await found({ text: 'common', limit: 1 })).toEqual(expected(ann.id, 2_500))
    expect(await found({ text: 'common', limit: 1, owner: 'bob' })).toEqual(expected(bob.id, 100))
    const rare = expected(ann.id, 2_008, 1_508, 1_008, 508, 8)
    expect(await found({ text: 'rare', limit: 9 })).toEqual([...rare, ...expected(bob.id, 8)])
  })

  it('a row that cannot be read is set aside', async () => {
    const url = await server.readyUrl()
    const a = await store(url)
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    await a.append(session.id, [said('one'), said('two')])
    await execute(url, `UPDATE entries SET body = '{' WHERE seq = 1`)
    const page = await a.entries(session.id)
    expect(page.entries.map(({ seq }) => seq)).toEqual([2])
    expect(page.bad).toMatchObject([{ seq: 1 }])
    expect((await a.search({ text: 'ONE' })).hits).toEqual([])
    expect((await a.search({ text: 'TWO' })).hits).toMatchObject([{ seq: 2 }])
  })

  it('a redaction leaves the text in no table', async () => {
    const url = await server.readyUrl()
    const a = await store(url)
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    await a.append(session.id, [said('the word is sesame')])
    const fork = await a.createSession({ owner: 'ann', workspace: '/w', parent: { id: session.id, seq: 1 } })
    await a.append(fork.id, [compaction([{ seq: 1, text: 'the word is sesame' }])])
    await a.redact(fork.id, [1])
    const tables = ['entries', 'search_texts', 'sessions', 'append_keys']
    for (const table of tables) {
      expect(await execute(url, `SELECT * FROM ${table} t WHERE t::text ILIKE '%sesame%'`), table).toEqual([])
    }
    expect((await a.entries(fork.id)).entries.map(({ type }) => type)).toEqual(['message', 'compaction', 'redact'])
  })

  it('what forks of a deleted session share is kept, found in them, and goes with the last', async () => {
    const url = await server.readyUrl()
    const a = await store(url)
    const root = await a.createSession({ owner: 'ann', workspace: '/w' })
    await a.append(root.id, ['apple', 'pear', 'plum', 'cherry'].map(said))
    const fork = await a.createSession({ owner: 'ann', workspace: '/w', parent: { id: root.id, seq: 3 } })
    await a.append(fork.id, [said('fig')])
    const deep = await a.createSession({ owner: 'bob', workspace: '/w', parent: { id: fork.id, seq: 2 } })
    expect(await a.deleteSession(root.id)).toMatchObject({ entries: 1, keptForForks: 3 })
    expect(await a.session(root.id)).toBeUndefined()
    expect((await a.search({ text: 'cherry' })).hits).toEqual([])
    expect((await a.search({ text: 'plum' })).hits).toMatchObject([{ session: fork.id, seq: 3, turn: 3 }])
    expect((await a.search({ text: 'pear', owner: 'bob' })).hits).toMatchObject([{ session: deep.id, seq: 2 }])
    // Its own entry, and the one that only it shared.
    expect(await a.deleteSession(fork.id)).toMatchObject({ entries: 2, keptForForks: 0 })
    expect((await a.entries(deep.id)).entries.map(({ seq }) => seq)).toEqual([1, 2])
    expect(await execute(url, 'SELECT seq::int FROM entries ORDER BY seq')).toEqual([{ seq: 1 }, { seq: 2 }])
    await a.deleteSession(deep.id)
    for (const table of ['sessions', 'entries', 'search_texts'])
      expect(await execute(url, `TABLE ${table}`)).toEqual([])
  })

  it('a connection that breaks while it is used is an error of its user, and ends no process', async () => {
    const pool = createPool(await server.readyUrl())
    open.push({ close: () => pool.end() })
    const client = await pool.connect()
    const ended = new Promise((resolve) => client.once('end', resolve))
    await expect(client.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(
      'terminating connection',
    )
    await ended
    client.release(true)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('survives a restart of the server’s connections', async () => {
    const url = await server.readyUrl()
    const a = await store(url)
    const session = await a.createSession({ owner: 'ann', workspace: '/w' })
    await execute(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await expect.poll(async () => (await a.append(session.id, [said('one')])).ok).toBe(true)
  })
})

async function store(url: string, name = 'a', listens: StoreDeps['listens'] = 'always'): Promise<Store> {
  const { clock, ids } = countingDeps()
  const opened = await openPostgres(url, { clock, listens, ids: () => `${name}-${ids()}` })
  open.push(opened)
  return opened
}

const UNKNOWN = /^postgres:\/\/127\.0\.0\.1:\d+\/pith_\d+ did not answer in time: [^\n]*may be saved or not[^\n]*$/
/** The answer to the first statement of a transaction did not come: closing the connection undoes it. */
const NO_ANSWER = /^postgres:\/\/127\.0\.0\.1:\d+\/pith_\d+ did not answer in time: nothing [^\n]*$/

/** A store on `poolSize` connections that can fall silent, each for the one statement that is sent on it next. */
async function storeBehindProxy(poolSize = 1) {
  const proxy = await startFreezingProxy(await server.readyUrl())
  let silent = 0
  const a = await openPostgres(proxy.url, {
    ...countingDeps(),
    poolSize,
    // Only the statements that get no answer are given up soon: a busy machine may be slow to answer the rest.
    get answerMs() {
      return silent-- > 0 ? 500 : 30_000
    },
  })
  // A listener on a silent connection would wait for its end.
  open.push(proxy, a)
  const ids = await sessionsIn(a, 1 + poolSize)
  const freeze: typeof proxy.freeze = (what) => {
    silent = poolSize
    proxy.freeze(what)
  }
  return { a, freeze, ids }
}

function textOf(entry: Entry): unknown {
  return entry.type === 'message' ? entry.message.content : entry.type
}

async function sessionsIn(of: Store, count: number): Promise<string[]> {
  const all = await Promise.all(
    Array.from({ length: count }, () => of.createSession({ owner: 'ann', workspace: '/w' })),
  )
  return all.map(({ id }) => id)
}

/** A trigger that an administrator may have added to a database. */
function refusalOf(session: string): string {
  return `
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not here'; END $$;
    CREATE TRIGGER refusal BEFORE INSERT ON entries FOR EACH ROW
    WHEN (NEW.session_id = '${session}') EXECUTE FUNCTION refuse()`
}

function heard(from: Store): LogChange[] {
  const changes: LogChange[] = []
  from.subscribe((change) => changes.push(change))
  return changes
}

function at(stores: readonly Store[], i: number): Store {
  const found = stores[i]
  if (found === undefined) throw new Error(`there is no store ${i}`)
  return found
}

function said(content: string): EntryDraft {
  return { type: 'message', message: { role: 'user', content } }
}

function compaction(users: { seq: number; text: string }[]): EntryDraft {
  return {
    type: 'compaction',
    from: 1,
    upTo: 1,
    keep: [],
    summary: 'short',
    frame: 'pith',
    indexDelta: { users },
    messages: 1,
    reason: 'manual',
    rung: 'digest',
    tokensBefore: 2,
    tokensAfter: 1,
  }
}

async function execute(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}
