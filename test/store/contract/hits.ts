import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { indexedLog } from '../../../src/search/hits.ts'
import type { SearchQuery } from '../../../src/store/store.ts'
import { assistant, call, result, user } from '../../support/messages.ts'
import { compaction } from './drafts.ts'
import { create, fork, found, range, said, say, withTexts } from './helpers.ts'
import type { Start } from './world.ts'

/** Where a search looks, and what a hit says. */
export function hitTests(start: Start): void {
  it('gives another owner no part of a deleted session that a fork still shares', async () => {
    const { store } = await start()
    const session = await withTexts(store, 'a secret plan')
    const kept = await fork(store, session, 1)
    await store.deleteSession(session.id)
    expect(await store.search({ text: 'secret', owner: 'bob' })).toMatchObject({ hits: [], searched: 0 })
    expect((await store.search({ text: 'secret', owner: 'ann' })).hits).toMatchObject([{ session: kept.id, seq: 1 }])
  })

  it('gives the newest of equal entries first, an entry once, and no more than the limit', async () => {
    const { store, clock } = await start()
    const [a, b] = [await create(store), await create(store)]
    for (const session of [a, b]) {
      clock.now += 1_000
      await say(store, session, 'needle', 'a', 'b', 'c', 'd')
    }
    for (const session of [a, b]) {
      clock.now += 1_000
      await say(store, session, 'needle')
    }
    const placed = async (query: SearchQuery) => (await store.search(query)).hits.map((hit) => [hit.session, hit.seq])
    const all = [
      [b.id, 6],
      [a.id, 6],
      [b.id, 1],
      [a.id, 1],
    ]
    for (const text of ['needle', '"needle"', '"n"']) {
      expect(await placed({ text })).toEqual(all)
      expect((await store.search({ text, limit: 1 })).total).toBe(4)
      for (const limit of [1, 2, 4, 9]) expect(await placed({ text, limit })).toEqual(all.slice(0, limit))
      expect(await placed({ text, limit: 2, offset: 1 })).toEqual(all.slice(1, 3))
      expect(await placed({ text, offset: 4 })).toEqual([])
    }
  })

  it('gives hits of one exchange as one, the best of them with its neighbours', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(user('please fix the needle')),
      said(call('c', 'read', { path: 'needle.ts' })),
      said(result('c', 'the needle of needle.ts')),
      ...range(1, 6).map((i) => said(assistant(`something else ${i}`))),
      said(assistant('one more needle')),
    ])
    const { hits, total } = await store.search({ text: 'needle' })
    expect(hits.map(({ seq, also }) => [seq, also.toSorted()])).toEqual([
      [1, [2, 3]],
      [10, []],
    ])
    expect(total).toBe(4)
  })

  it('looks only in one session, or only in those of an owner, when asked to', async () => {
    const { store } = await start()
    const mine = await create(store, { owner: 'ann' })
    const other = await create(store, { owner: 'ann' })
    const his = await create(store, { owner: 'bob' })
    for (const session of [mine, other, his]) await say(store, session, 'needle')
    const sessions = async (query: SearchQuery) => (await store.search(query)).hits.map((hit) => hit.session).toSorted()
    for (const text of ['needle', '"n"', 'role:user']) {
      expect(await sessions({ text, session: mine.id })).toEqual([mine.id])
      expect(await sessions({ text, owner: 'ann' })).toEqual([mine.id, other.id].toSorted())
      expect(await sessions({ text, owner: 'bob' })).toEqual([his.id])
      expect(await sessions({ text, owner: 'bob', session: mine.id })).toEqual([])
      expect(await sessions({ text, owner: 'nobody' })).toEqual([])
      expect(await sessions({ text, session: 'nothing' })).toEqual([])
    }
  })

  it('ranks other sessions together with those of the store, if it gets some', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'heron', 'x1', 'x2', 'x3', 'x4', 'heron newt', 'x5', 'x6', 'x7', 'x8')
    const others = [
      user('stork'),
      assistant('y1'),
      assistant('y2'),
      assistant('y3'),
      assistant('y4'),
      user('heron newt stork'),
    ]
    const beside = indexedLog('agent:test:1', logOf(others))
    const places = async (text: string) =>
      (await store.search({ text, beside })).hits.map((hit) => [hit.session, hit.seq, hit.turn])
    expect(await places('heron newt stork')).toEqual([
      ['agent:test:1', 6, 6],
      [session.id, 6, 6],
      ['agent:test:1', 1, 1],
      [session.id, 1, 1],
    ])
    expect(await store.search({ text: 'newtt', beside })).toMatchObject({ hits: [], searched: 16, nearest: ['newt'] })
    expect((await store.search({ text: 'stork' })).hits).toEqual([])
  })

  it('is not changed by what another owner says: neither hits nor their order, counts or suggestions', async () => {
    const { store } = await start()
    const mine = await create(store, { owner: 'ann' })
    const filler = range(1, 30).map((i) => `filler ${i}`)
    await say(store, mine, 'apple banana', ...filler, 'banana banana cherry', ...filler, 'cherries')
    const shared = await create(store, { owner: 'bob' })
    await say(store, shared, 'of both banana')
    const kept = await create(store, { owner: 'ann', parent: { id: shared.id, seq: 1 } })
    await store.deleteSession(shared.id)
    const queries = ['apple banana', 'banana cherry', 'bananna', 'aple', 'zzz', '"of both"', 'cher']
    const all = () => Promise.all(queries.map((text) => store.search({ text, owner: 'ann' })))
    const before = await all()
    expect(before[5]?.hits).toMatchObject([{ session: kept.id, seq: 1 }])
    expect(before[2]?.nearest).toEqual(['banana'])
    const his = await create(store, { owner: 'bob' })
    for (let i = 0; i < 5; i++)
      await say(store, his, ...range(1, 60).map((n) => `apple apples aplle ample bananaa cherry cherx${n}i zzzy`))
    expect(await all()).toEqual(before)
  })

  it('names the user message that the turn began with, the role, the tool and the time', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    const rest = range(1, 4).map((i) => said(assistant(`rest ${i}`)))
    await store.append(session.id, [said(assistant('needle')), ...rest, said(user('needle')), ...rest])
    clock.now += 1_000
    await store.append(session.id, [said(call('c', 'read', { path: 'needle' })), said(result('c', 'nothing'))])
    const hits = (await store.search({ text: 'needle' })).hits.toSorted((a, b) => a.seq - b.seq)
    expect(hits.map(({ seq, turn, type, role, tool, at }) => ({ seq, turn, type, role, tool, at }))).toEqual([
      { seq: 1, turn: 0, type: 'message', role: 'assistant', tool: undefined, at: clock.now - 1_000 },
      { seq: 6, turn: 6, type: 'message', role: 'user', tool: undefined, at: clock.now - 1_000 },
      { seq: 11, turn: 6, type: 'message', role: 'assistant', tool: 'read', at: clock.now },
    ])
  })

  it('names the turn of a fork, which may have begun in what it shares', async () => {
    const { store } = await start()
    const parent = await create(store)
    await store.append(parent.id, [said(user('one')), said(assistant('two')), said(user('three'))])
    const child = await fork(store, parent, 2)
    await store.append(child.id, [said(assistant('needle')), said(user('four')), said(assistant('other thread'))])
    const turns = async (text: string) =>
      (await store.search({ text })).hits.map((hit) => [hit.session, hit.seq, hit.turn])
    expect(await turns('needle')).toEqual([[child.id, 3, 1]])
    expect(await turns('thread')).toEqual([[child.id, 5, 4]])
  })

  it('shows the lines around the match, not the beginning of a long text', async () => {
    const { store } = await start()
    const filler = 'lorem ipsum\n'.repeat(1_000)
    await withTexts(store, `${filler}before\nthe Needle\nafter\n${filler}`, `${'x '.repeat(9_000)}Needle ${filler}`)
    const hits = (await store.search({ text: 'needle' })).hits
    expect(hits.length).toBeGreaterThan(0)
    for (const { snippet } of hits) {
      expect(snippet).toContain('Needle')
      expect(snippet.length).toBeLessThan(1_000)
      expect(snippet.split('\n').length).toBeLessThanOrEqual(3)
    }
  })

  it('finds in a fork what it shares, and not what its parent said after', async () => {
    const { store } = await start()
    const parent = await withTexts(store, 'shared needle', 'late needle')
    const child = await fork(store, parent, 1)
    await say(store, child, 'own needle')
    for (const text of ['needle', '"n"']) {
      expect((await found(store, { text, session: child.id })).toSorted()).toEqual([1, 2])
      expect((await found(store, { text, session: parent.id })).toSorted()).toEqual([1, 2])
    }
    expect(await found(store, { text: 'own', session: parent.id })).toEqual([])
    expect(await found(store, { text: 'late', session: child.id })).toEqual([])
    const { searched } = await store.search({ text: 'needle', session: child.id })
    expect(searched).toBe(2)
  })

  it('finds what forks share once when no session is named', async () => {
    const { store } = await start()
    const parent = await withTexts(store, 'shared needle')
    await fork(store, parent, 1)
    await fork(store, parent, 1)
    expect(await found(store, 'needle')).toEqual([1])
  })

  it('finds neither records nor earlier answers of recall', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(user('the needle')),
      ...range(1, 5).map((i) => said(assistant(`rest ${i}`))),
      compaction({ summary: 'a needle, a needle' }),
      { type: 'edit', of: 7, summary: 'the needle' },
      said(call('c', 'recall', { search: 'needle' })),
      said({
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'recall',
            output: { type: 'text', value: '#1 the needle' },
          },
        ],
      }),
    ])
    expect(await store.search({ text: 'needle' })).toMatchObject({ hits: [{ seq: 1, also: [] }], total: 1 })
  })
}
