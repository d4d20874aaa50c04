import { expect, it } from 'vitest'
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
    expect(await store.search({ text: 'secret', owner: 'bob' })).toEqual([])
    expect(await store.search({ text: 'secret', owner: 'ann' })).toMatchObject([{ session: kept.id, seq: 1 }])
  })

  it('gives the newest first, an entry once, and no more than the limit', async () => {
    const { store, clock } = await start()
    const [a, b] = [await create(store), await create(store)]
    for (const [session, text] of [
      [a, 'needle 1'],
      [b, 'needle 1'],
      [a, 'needle 2 needle needle'],
      [b, 'needle 2'],
    ] as const) {
      clock.now += 1_000
      await say(store, session, text)
    }
    const placed = async (query: SearchQuery) => (await store.search(query)).map((hit) => [hit.session, hit.seq])
    const all = [
      [b.id, 2],
      [a.id, 2],
      [b.id, 1],
      [a.id, 1],
    ]
    for (const text of ['needle', 'n']) {
      expect(await placed({ text })).toEqual(all)
      for (const limit of [1, 2, 4, 9]) expect(await placed({ text, limit })).toEqual(all.slice(0, limit))
    }
  })

  it('gives the newest of a session first by seq, when all are of one moment', async () => {
    const { store } = await start()
    const session = await withTexts(store, ...range(1, 12).map((i) => `needle ${i}`))
    expect(await found(store, { text: 'needle', session: session.id })).toEqual(range(1, 12).toReversed())
    expect(await found(store, { text: 'needle', limit: 3 })).toEqual([12, 11, 10])
    expect(await found(store, { text: 'n', limit: 3 })).toEqual([12, 11, 10])
  })

  it('looks only in one session, or only in those of an owner, when asked to', async () => {
    const { store } = await start()
    const mine = await create(store, { owner: 'ann' })
    const other = await create(store, { owner: 'ann' })
    const his = await create(store, { owner: 'bob' })
    for (const session of [mine, other, his]) await say(store, session, 'needle')
    const sessions = async (query: SearchQuery) => (await store.search(query)).map((hit) => hit.session).toSorted()
    for (const text of ['needle', 'n']) {
      expect(await sessions({ text, session: mine.id })).toEqual([mine.id])
      expect(await sessions({ text, owner: 'ann' })).toEqual([mine.id, other.id].toSorted())
      expect(await sessions({ text, owner: 'bob' })).toEqual([his.id])
      expect(await sessions({ text, owner: 'bob', session: mine.id })).toEqual([])
      expect(await sessions({ text, owner: 'nobody' })).toEqual([])
      expect(await sessions({ text, session: 'nothing' })).toEqual([])
    }
  })

  it('a limit counts after the owner and the session', async () => {
    const { store, clock } = await start()
    const mine = await create(store, { owner: 'ann' })
    const his = await create(store, { owner: 'bob' })
    await say(store, mine, 'needle')
    clock.now += 1_000
    for (let i = 0; i < 30; i++) await say(store, his, 'needle')
    for (const text of ['needle', 'n']) {
      expect(await store.search({ text, owner: 'ann', limit: 1 })).toHaveLength(1)
      expect(await store.search({ text, session: mine.id, limit: 1 })).toHaveLength(1)
    }
  })

  it('names the user message that the turn began with', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(assistant('needle')),
      said(user('needle')),
      said(assistant('needle')),
      said(call('c', 'read', { path: 'needle' })),
      said(result('c', 'needle')),
      compaction({ summary: 'needle' }),
      said(user('other')),
      said(assistant('needle')),
    ])
    const turns = (await store.search({ text: 'needle' })).map((hit) => [hit.seq, hit.turn])
    expect(turns).toEqual([
      [8, 7],
      [6, 2],
      [5, 2],
      [4, 2],
      [3, 2],
      [2, 2],
      [1, 0],
    ])
  })

  it('names the turn of a fork, which may have begun in what it shares', async () => {
    const { store } = await start()
    const parent = await create(store)
    await store.append(parent.id, [said(user('one')), said(assistant('two')), said(user('three'))])
    const child = await fork(store, parent, 2)
    await store.append(child.id, [said(assistant('needle')), said(user('four')), said(assistant('needle'))])
    const hits = await store.search({ text: 'needle' })
    expect(hits.map((hit) => [hit.session, hit.seq, hit.turn])).toEqual([
      [child.id, 5, 4],
      [child.id, 3, 1],
    ])
  })

  it('shows a short piece of a long text, with the match in it', async () => {
    const { store } = await start()
    const filler = 'lorem ipsum '.repeat(1_000)
    await withTexts(store, `${filler}Needle ${filler}`, `Needle ${filler}`, `${filler}Needle`)
    const hits = await store.search({ text: 'needle' })
    expect(hits).toHaveLength(3)
    for (const { snippet } of hits) {
      expect(snippet).toContain('Needle')
      expect(snippet.length).toBeLessThan(1_000)
    }
  })

  it('shows the match after letters that are longer in lower case', async () => {
    const { store } = await start()
    await withTexts(store, `${'İ'.repeat(300)} needle`)
    expect((await store.search({ text: 'needle' }))[0]?.snippet).toContain('needle')
  })

  it('finds in a fork what it shares, and not what its parent said after', async () => {
    const { store } = await start()
    const parent = await withTexts(store, 'shared needle', 'late needle')
    const child = await fork(store, parent, 1)
    await say(store, child, 'own needle')
    for (const text of ['needle', 'n']) {
      const hits = await store.search({ text, session: child.id })
      expect(hits.map((hit) => hit.snippet)).toEqual(['own needle', 'shared needle'])
      expect(await found(store, { text, session: parent.id })).toEqual([2, 1])
    }
  })

  it('finds what forks share once when no session is named', async () => {
    const { store } = await start()
    const parent = await withTexts(store, 'shared needle')
    await fork(store, parent, 1)
    await fork(store, parent, 1)
    expect(await found(store, 'needle')).toEqual([1])
  })
}
