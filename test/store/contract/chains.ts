import { expect, it } from 'vitest'
import { type SessionQuery, SIDE_HOLDER } from '../../../src/store/store.ts'
import { create, fork, refuses, say, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The marks by which a gateway knows a session again. */
export function chainTests(start: Start): void {
  it('are found with their place, their holder and whether the session continues after them', async () => {
    const { store } = await start()
    const { id } = await create(store)
    await store.append(id, texts('a', 'b'), { chain: { holder: 'host:1', values: ['va', 'vb'] } })
    const places = await store.chainPlaces(['vb', 'va', 'other'])
    expect(places.toSorted((a, b) => a.seq - b.seq)).toEqual([
      { value: 'va', session: id, seq: 1, holder: 'host:1', isEnd: false },
      { value: 'vb', session: id, seq: 2, holder: 'host:1', isEnd: true },
    ])
    await store.append(id, texts('c'), { chain: { holder: 'host:2', values: ['vc'] } })
    expect(await store.chainPlaces(['vb'])).toMatchObject([{ holder: 'host:2', isEnd: false }])
  })

  it('belong to several sessions at once, as those of a fork do', async () => {
    const { store } = await start()
    const parent = await create(store)
    await store.append(parent.id, texts('a'), { chain: { holder: 'host:1', values: ['va'] } })
    const child = await fork(store, parent, 1)
    await store.markChain(child.id, [{ value: 'va', seq: 1 }], 'host:2')
    const places = await store.chainPlaces(['va'])
    expect(places.map(({ session }) => session).toSorted()).toEqual([parent.id, child.id].toSorted())
    await refuses(store.markChain('nobody', [], 'host:1'))
  })

  it('list the sessions of the process that marked them last', async () => {
    const { store } = await start()
    const [first, second, other] = [await create(store), await create(store), await create(store)]
    await store.append(first.id, texts('a'), { chain: { holder: 'host:1', values: ['va'] } })
    await store.append(other.id, texts('b'), { chain: { holder: 'host:2', values: ['vb'] } })
    await store.append(second.id, texts('c'), { chain: { holder: 'host:1', values: ['vc'] } })
    const held = async (holder: string) => (await store.sessions({ holder })).sessions.map(({ id }) => id)
    expect((await held('host:1')).toSorted()).toEqual([first.id, second.id].toSorted())
    expect(await held('host:2')).toEqual([other.id])
    expect(await held('host:3')).toEqual([])
    await create(store)
    const chained = (await store.sessions({ isChained: true })).sessions.map(({ id }) => id)
    expect(chained.toSorted()).toEqual([first.id, second.id, other.id].toSorted())
  })

  it('hide the sessions that only count side requests, except from those who ask for them', async () => {
    const { store } = await start()
    const [session, side] = [await create(store), await create(store)]
    await store.markChain(session.id, [], 'host:1')
    await store.markChain(side.id, [], SIDE_HOLDER)
    const ids = async (query: SessionQuery) => (await store.sessions(query)).sessions.map(({ id }) => id)
    expect(await ids({})).toEqual([session.id])
    expect(await ids({ isChained: true, owner: 'ann' })).toEqual([session.id])
    expect(await ids({ holder: SIDE_HOLDER })).toEqual([side.id])
  })

  it('are not kept by an append that is refused', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'a')
    const chain = { holder: 'host:1', values: ['vb'] }
    await store.append(session.id, texts('b'), { chain, guard: { since: 0, check: () => 'no' } })
    expect(await store.chainPlaces(['vb'])).toEqual([])
  })

  it('are gone with their session, also while forks share its entries', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, texts('a'), { chain: { holder: 'host:1', values: ['va'] } })
    await fork(store, session, 1)
    await store.deleteSession(session.id)
    expect(await store.chainPlaces(['va'])).toEqual([])
  })
}
