import { expect, it } from 'vitest'
import { REDACTED } from './drafts.ts'
import { contents, create, fork, found, refuses, say, seqs, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The data that a deletion takes, and the data that it leaves for forks. */
export function deleteTests(start: Start): void {
  it('takes the session and its entries, and says how many', async () => {
    const { store } = await start()
    const [session, other] = [await create(store), await create(store)]
    await say(store, session, 'needle', 'two', 'three')
    await say(store, other, 'other needle')
    expect(await store.deleteSession(session.id)).toEqual({ entries: 3, keptForForks: 0 })
    expect(await store.session(session.id)).toBeUndefined()
    expect((await store.sessions()).sessions.map(({ id }) => id)).toEqual([other.id])
    await refuses(store.entries(session.id))
    await refuses(store.append(session.id, texts('more')))
    await refuses(store.deleteSession(session.id))
    expect((await store.search({ text: 'needle' })).hits.map((hit) => hit.session)).toEqual([other.id])
    expect(await contents(store, other)).toEqual(['other needle'])
  })

  it('keeps what forks share for them, and takes the rest', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'p1 needle', 'p2', 'p3', 'p4 needle', 'p5')
    const short = await fork(store, parent, 1)
    const long = await fork(store, parent, 3)
    await say(store, long, 'own')
    expect(await store.deleteSession(parent.id)).toEqual({ entries: 2, keptForForks: 3 })
    expect(await store.session(parent.id)).toBeUndefined()
    expect((await store.sessions()).sessions.map(({ id }) => id).toSorted()).toEqual([short.id, long.id].toSorted())
    await refuses(store.entries(parent.id))
    expect(await contents(store, short)).toEqual(['p1 needle'])
    expect(await contents(store, long)).toEqual(['p1 needle', 'p2', 'p3', 'own'])
    expect(await found(store, 'p4')).toEqual([])
    await say(store, short, 'goes on')
    expect(await seqs(store, short)).toEqual([1, 2])
  })

  it('leaves what forks share to be found, forked and redacted by them', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'needle', 'two')
    const child = await create(store, { owner: 'bob', parent: { id: parent.id, seq: 2 } })
    await store.deleteSession(parent.id)
    const hit = { session: child.id, seq: 1, turn: 1, type: 'message', role: 'user', snippet: 'needle' }
    for (const query of [{}, { owner: 'bob' }, { session: child.id }, { session: child.id, owner: 'bob' }])
      expect((await store.search({ text: 'needle', ...query })).hits).toMatchObject([hit])
    const grandchild = await fork(store, child, 1)
    expect(await contents(store, grandchild)).toEqual(['needle'])
    await store.redact(grandchild.id, [1])
    expect(await contents(store, child)).toEqual([REDACTED, 'two', 'redact'])
    expect(await found(store, 'needle')).toEqual([])
  })

  it('of a fork leaves its parent alone', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two')
    const child = await fork(store, parent, 2)
    await say(store, child, 'own')
    expect(await store.deleteSession(child.id)).toEqual({ entries: 1, keptForForks: 0 })
    expect(await contents(store, parent)).toEqual(['one', 'two'])
    expect(await found(store, 'own')).toEqual([])
  })

  it('of a parent and a grandparent leaves the last fork whole', async () => {
    const { store } = await start()
    const a = await create(store)
    await say(store, a, 'a1', 'a2', 'a3')
    const b = await fork(store, a, 2)
    await say(store, b, 'b3', 'b4')
    const c = await fork(store, b, 3)
    await say(store, c, 'c4')
    await store.deleteSession(a.id)
    await store.deleteSession(b.id)
    expect(await contents(store, c)).toEqual(['a1', 'a2', 'b3', 'c4'])
    expect(await found(store, 'a3')).toEqual([])
    expect(await found(store, 'b4')).toEqual([])
    expect(await found(store, { text: 'b3', session: c.id })).toEqual([3])
  })

  it('of the last fork takes what was kept for it', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'needle')
    const child = await fork(store, parent, 1)
    await store.deleteSession(parent.id)
    await store.deleteSession(child.id)
    expect(await found(store, 'needle')).toEqual([])
    expect((await store.sessions()).sessions).toEqual([])
  })
}
