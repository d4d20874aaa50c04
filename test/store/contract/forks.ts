import { expect, it } from 'vitest'
import type { Session, Store } from '../../../src/store/store.ts'
import { mask } from './drafts.ts'
import { contents, create, fork, range, read, refuses, say, seqs, sessionOf, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The entries that forks share with their parents. */
export function forkTests(start: Start): void {
  async function parentOf(store: Store, count: number): Promise<Session> {
    const parent = await create(store)
    await say(store, parent, ...range(1, count).map((i) => `p${i}`))
    return parent
  }

  it('share the entries of their parent up to a seq, the ids too', async () => {
    const { store, clock } = await start()
    const parent = await parentOf(store, 5)
    clock.now += 1_000
    const child = await create(store, { owner: 'bob', workspace: '/b', parent: { id: parent.id, seq: 3 } })
    expect(child).toMatchObject({
      owner: 'bob',
      workspace: '/b',
      parent: { id: parent.id, seq: 3 },
      lastSeq: 3,
      revision: 0,
      createdAt: clock.now,
    })
    expect(await store.session(child.id)).toEqual(child)
    expect(await read(store, child)).toEqual(await read(store, parent, { upTo: 3 }))
  })

  it('continue by themselves, and so does their parent', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 3)
    const child = await fork(store, parent, 2)
    expect((await say(store, child, 'c3')).map((entry) => entry.seq)).toEqual([3])
    await say(store, parent, 'p4')
    await say(store, child, 'c4', 'c5')
    expect(await contents(store, parent)).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(await contents(store, child)).toEqual(['p1', 'p2', 'c3', 'c4', 'c5'])
    expect(await seqs(store, child)).toEqual([1, 2, 3, 4, 5])
    expect((await sessionOf(store, parent)).lastSeq).toBe(4)
    expect((await sessionOf(store, child)).lastSeq).toBe(5)
  })

  it('of forks share with all their ancestors', async () => {
    const { store } = await start()
    const a = await parentOf(store, 4)
    const b = await fork(store, a, 3)
    await say(store, b, 'b4', 'b5')
    const c = await fork(store, b, 4)
    await say(store, c, 'c5')
    const early = await fork(store, c, 2)
    await say(store, early, 'e3')
    await say(store, a, 'a5')
    expect(await contents(store, c)).toEqual(['p1', 'p2', 'p3', 'b4', 'c5'])
    expect(await contents(store, c, { from: 3, upTo: 5 })).toEqual(['p3', 'b4', 'c5'])
    expect(await contents(store, early)).toEqual(['p1', 'p2', 'e3'])
    expect(await contents(store, a)).toEqual(['p1', 'p2', 'p3', 'p4', 'a5'])
  })

  it('at the start share nothing, and count from 1', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 2)
    const child = await fork(store, parent, 0)
    expect(await read(store, child)).toEqual([])
    expect((await say(store, child, 'c1')).map((entry) => entry.seq)).toEqual([1])
    expect(await contents(store, child)).toEqual(['c1'])
  })

  it('at an entry that is not there are refused in one line', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 2)
    await refuses(fork(store, parent, 3))
    expect((await store.sessions()).sessions).toHaveLength(1)
  })

  it('have the revision of what they share', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 1)
    await store.append(parent.id, [mask, ...texts('three'), mask])
    const before = await fork(store, parent, 1)
    const between = await fork(store, parent, 3)
    const after = await fork(store, parent, 4)
    const later = await fork(store, between, 2)
    expect([before, between, after, later].map((session) => session.revision)).toEqual([0, 2, 4, 2])
    expect((await store.append(between.id, [mask], { revision: 0 })).ok).toBe(false)
    expect((await store.append(between.id, [mask], { revision: 2 })).ok).toBe(true)
    expect((await sessionOf(store, parent)).revision).toBe(4)
  })

  it('of one parent do not see each other', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 2)
    const children = await Promise.all(range(1, 5).map(() => fork(store, parent, 1)))
    await Promise.all(children.map((child) => say(store, child, child.id)))
    for (const child of children) expect(await contents(store, child)).toEqual(['p1', child.id])
    expect(await contents(store, parent)).toEqual(['p1', 'p2'])
  })
}
