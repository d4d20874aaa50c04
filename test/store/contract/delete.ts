import { expect, it } from 'vitest'
import { type SessionQuery, TASK_HOLDER } from '../../../src/store/store.ts'
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
    expect(await store.deleteSession(session.id)).toMatchObject({ entries: 3, keptForForks: 0 })
    expect(await store.session(session.id)).toBeUndefined()
    expect((await store.sessions()).sessions.map(({ id }) => id)).toEqual([other.id])
    await refuses(store.entries(session.id))
    await refuses(store.append(session.id, texts('more')))
    await refuses(store.deleteSession(session.id))
    expect((await store.search({ text: 'needle' })).hits.map((hit) => hit.session)).toEqual([other.id])
    expect(await contents(store, other)).toEqual(['other needle'])
  })

  it('takes the sessions of sub-agents with the last session that has their handles', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'asks', 'hears')
    const tasks = [await fork(store, parent, 0), await fork(store, parent, 0)]
    for (const task of tasks) {
      await store.markChain(task.id, [], TASK_HOLDER)
      await say(store, task, 'needle', 'report')
    }
    const ids = async (query: SessionQuery = {}) => (await store.sessions(query)).sessions.map(({ id }) => id)
    expect(await ids()).toEqual([parent.id])
    expect((await ids({ holder: TASK_HOLDER })).toSorted()).toEqual(tasks.map(({ id }) => id).toSorted())
    const search = async (more: readonly string[]) =>
      (await store.search({ text: 'needle', session: parent.id, with: more })).hits.map(({ session }) => session)
    expect(await search([])).toEqual([])
    expect(await search([tasks[0]?.id ?? ''])).toEqual([tasks[0]?.id])
    const copy = await fork(store, parent, 1)
    expect(await store.deleteSession(parent.id)).toMatchObject({ entries: 1, keptForForks: 1 })
    expect(await ids({ holder: TASK_HOLDER })).toHaveLength(2)
    expect(await store.deleteSession(copy.id)).toMatchObject({ entries: 5 })
    expect(await ids({ holder: TASK_HOLDER })).toEqual([])
    expect(await found(store, 'needle')).toEqual([])
    expect(await store.storedAmong([parent.id, ...tasks.map(({ id }) => id)])).toEqual(new Set())
  })

  it('measures the sessions of sub-agents, too', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'asks')
    const task = await fork(store, parent, 0)
    await store.markChain(task.id, [], TASK_HOLDER)
    await say(store, task, 'one', 'two')
    expect(await store.measureDeletion([parent.id])).toMatchObject({ entries: 3, kept: [] })
  })

  it('keeps what forks share for them, and takes the rest', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'p1 needle', 'p2', 'p3', 'p4 needle', 'p5')
    const short = await fork(store, parent, 1)
    const long = await fork(store, parent, 3)
    await say(store, long, 'own')
    expect(await store.deleteSession(parent.id)).toMatchObject({ entries: 2, keptForForks: 3 })
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
    expect(await store.deleteSession(child.id)).toMatchObject({ entries: 1, keptForForks: 0 })
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

  it('of one of several forks takes what was kept for it alone, and counts it', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'p1', 'p2 needle', 'p3')
    const short = await fork(store, parent, 1)
    const long = await fork(store, parent, 3)
    await say(store, long, 'own')
    expect(await store.deleteSession(parent.id)).toMatchObject({ entries: 0, keptForForks: 3 })
    expect(await store.deleteSession(long.id)).toMatchObject({ entries: 3, keptForForks: 0 })
    expect(await contents(store, short)).toEqual(['p1'])
    expect(await found(store, 'needle')).toEqual([])
    expect(await store.storedAmong([parent.id, short.id, long.id])).toEqual(new Set([parent.id, short.id]))
    expect(await store.deleteSession(short.id)).toMatchObject({ entries: 1, keptForForks: 0 })
    expect(await store.storedAmong([parent.id, short.id, long.id, 'nobody'])).toEqual(new Set())
  })

  it('is measured before it is done, over several sessions and their forks', async () => {
    const { store } = await start()
    const [parent, other] = [await create(store), await create(store)]
    await say(store, parent, 'p1', 'p2', 'p3', 'p4')
    const doomed = await fork(store, parent, 3)
    await say(store, doomed, 'ünï')
    const alive = await fork(store, doomed, 2)
    await say(store, other, 'o1')
    const all = [parent.id, doomed.id, other.id]
    const measured = await store.measureDeletion(all)
    expect(measured).toMatchObject({ entries: 4, kept: [{ session: parent.id, entries: 2 }] })
    expect(await contents(store, other)).toEqual(['o1'])
    const removed = await Promise.all(all.map((id) => store.deleteSession(id)))
    expect(removed.reduce((sum, { entries }) => sum + entries, 0)).toBe(measured.entries)
    expect(removed.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(measured.bytes)
    expect(measured.bytes).toBeGreaterThan(4 * 50)
    expect(await contents(store, alive)).toEqual(['p1', 'p2'])
    // Entries that were kept for the fork are a part of its own deletion.
    expect(await store.measureDeletion([alive.id])).toMatchObject({ entries: 2, kept: [] })
    expect(await store.measureDeletion([])).toEqual({ entries: 0, bytes: 0, kept: [] })
  })

  it('of an unused session is refused when something was said since, or while a process works in it', async () => {
    const { store, clock } = await start()
    const [old, used, busy] = [await create(store), await create(store), await create(store)]
    for (const session of [old, used, busy]) await say(store, session, 'one')
    const since = clock.now
    clock.now += 1_000
    await say(store, used, 'two')
    await store.acquireLease(busy.id, 'somebody', 500)
    expect((await store.sessions({ unusedSince: since })).sessions.map(({ id }) => id)).toEqual([old.id])
    expect(await store.deleteUnused(used.id, since)).toBeUndefined()
    expect(await store.deleteUnused(busy.id, since)).toBeUndefined()
    expect(await store.deleteUnused(old.id, since)).toMatchObject({ entries: 1, keptForForks: 0 })
    expect(await store.deleteUnused(old.id, since)).toBeUndefined()
    clock.now += 501
    expect((await store.sessions({ unusedSince: since })).sessions.map(({ id }) => id)).toEqual([busy.id])
    expect(await store.deleteUnused(busy.id, since)).toMatchObject({ entries: 1 })
    expect(await contents(store, used)).toEqual(['one', 'two'])
  })
}
