import { expect, it } from 'vitest'
import type { SessionQuery, Store } from '../../../src/store/store.ts'
import { create, present, read, refuses, say, sessionOf, texts } from './helpers.ts'
import type { Clock, Start } from './world.ts'

/** How sessions are made, listed and named. */
export function sessionTests(start: Start): void {
  it('a new session has what its draft said, the time, and no entries', async () => {
    const { store, clock, issued } = await start()
    const session = await create(store, { owner: 'bob', workspace: '/home/bob', title: 'first' })
    expect(session).toEqual({
      id: session.id,
      owner: 'bob',
      workspace: '/home/bob',
      title: 'first',
      createdAt: clock.now,
      updatedAt: clock.now,
      lastSeq: 0,
      revision: 0,
    })
    expect(issued).toContain(session.id)
    expect(await store.session(session.id)).toEqual(session)
    expect(await read(store, session)).toEqual([])
  })

  it('a session that was said before has its own times', async () => {
    const { store } = await start()
    const session = await store.createSession({ owner: 'bob', workspace: '', createdAt: 1_000 })
    expect(session).toMatchObject({ createdAt: 1_000, updatedAt: 1_000 })
    await store.append(session.id, [{ type: 'settings' }, { type: 'settings' }], { times: [2_000, 3_000] })
    const { entries } = await store.entries(session.id)
    expect(entries.map(({ at }) => at)).toEqual([2_000, 3_000])
    expect(await store.session(session.id)).toMatchObject({ createdAt: 1_000, updatedAt: 3_000 })
  })

  it('a session without a title has none', async () => {
    const { store } = await start()
    const session = await create(store)
    expect(session.title).toBeUndefined()
    expect(session.parent).toBeUndefined()
    expect((await sessionOf(store, session)).title).toBeUndefined()
  })

  it('a session that was not created is undefined', async () => {
    const { store } = await start()
    expect(await store.session('nobody')).toBeUndefined()
    expect(await store.sessions()).toEqual({ sessions: [] })
  })

  it('sessions are listed newest first', async () => {
    const { store, clock } = await start()
    const ids = await createMany(store, clock, 5)
    const { sessions, next } = await store.sessions()
    expect(sessions.map((session) => session.id)).toEqual(ids.toReversed())
    expect(next).toBeUndefined()
  })

  it('a list is read page by page, each session once', async () => {
    const { store, clock } = await start()
    const ids = await createMany(store, clock, 7)
    for (const limit of [1, 2, 3, 7, 8]) {
      const pages = await allPages(store, { limit })
      expect(pages.flat()).toEqual(ids.toReversed())
      expect(Math.max(...pages.map((page) => page.length))).toBe(Math.min(limit, 7))
    }
  })

  it('paging loses no session when all are of the same moment', async () => {
    const { store } = await start()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push((await create(store)).id)
    const pages = await allPages(store, { limit: 2 })
    expect(pages.flat().toSorted()).toEqual(ids.toSorted())
  })

  it('a session created between two pages does not shift the second', async () => {
    const { store, clock } = await start()
    const ids = await createMany(store, clock, 4)
    const first = await store.sessions({ limit: 2 })
    await createMany(store, clock, 1)
    const second = await store.sessions({ limit: 2, before: present(first.next) })
    expect([...first.sessions, ...second.sessions].map((session) => session.id)).toEqual(ids.toReversed())
  })

  it('a list is narrowed to an owner and to a workspace, page by page too', async () => {
    const { store, clock } = await start()
    for (const owner of ['ann', 'bob']) {
      for (const workspace of ['/a', '/ab', '/a']) {
        clock.now++
        await create(store, { owner, workspace })
      }
    }
    const all = (await store.sessions()).sessions
    const of = (owner: string) => all.filter((session) => session.owner === owner).map((session) => session.id)
    expect((await allPages(store, { owner: 'ann', limit: 2 })).flat()).toEqual(of('ann'))
    expect((await allPages(store, { workspace: '/a', limit: 1 })).flat()).toHaveLength(4)
    expect((await allPages(store, { workspace: '/a', owner: 'bob', limit: 1 })).flat()).toHaveLength(2)
    expect((await store.sessions({ owner: 'an' })).sessions).toEqual([])
  })

  it('a list is narrowed to a text of the title or the workspace, whatever characters it has', async () => {
    const { store } = await start()
    const titles = ['100% done', 'snake_case', 'back\\slash', `it's "quoted"`, '修复数据库', 'party 🎉']
    for (const title of titles) await create(store, { title })
    await create(store, { workspace: '/home/ann/rocket', title: 'plain' })
    await create(store, { workspace: '/else' })
    const titled = async (text: string) => (await store.sessions({ text })).sessions.map((session) => session.title)
    for (const [i, text] of ['0% d', 'e_c', 'k\\s', `'s "q`, '数', '🎉'].entries()) {
      expect(await titled(text)).toEqual([titles[i]])
    }
    expect(await titled('rocket')).toEqual(['plain'])
    expect(await titled('%')).toEqual(['100% done'])
    expect(await titled('_')).toEqual(['snake_case'])
    expect(await titled('\\')).toEqual(['back\\slash'])
    expect(await titled('nowhere')).toEqual([])
    expect((await store.sessions({ text: 'rocket', owner: 'bob' })).sessions).toEqual([])
  })

  it('a session takes a new title', async () => {
    const { store } = await start()
    const session = await create(store, { title: 'old' })
    const other = await create(store, { title: 'other' })
    await store.renameSession(session.id, `new 'title' "你好" 🎉 %_\\`)
    expect((await sessionOf(store, session)).title).toBe(`new 'title' "你好" 🎉 %_\\`)
    expect((await sessionOf(store, other)).title).toBe('other')
    expect((await store.sessions({ text: '你好' })).sessions).toHaveLength(1)
    expect((await store.sessions({ text: 'old' })).sessions).toEqual([])
  })

  it('a title with half an emoji or a NUL is taken', async () => {
    const { store } = await start()
    const session = await create(store, { title: 'cut \ud83c' })
    await store.renameSession(session.id, 'left\u0000 right \ud83c')
    expect((await sessionOf(store, session)).title).toContain('right')
  })

  it('an append changes the time of the session, and its last seq', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    clock.now += 5_000
    await say(store, session, 'one', 'two')
    expect(await sessionOf(store, session)).toEqual({ ...session, updatedAt: clock.now, lastSeq: 2 })
  })

  it('a session that does not exist is reported in one line', async () => {
    const { store } = await start()
    await refuses(store.append('nobody', texts('hello')))
    await refuses(store.entries('nobody'))
    await refuses(store.renameSession('nobody', 'title'))
    await refuses(store.deleteSession('nobody'))
    await refuses(store.redact('nobody', [1]))
    await refuses(create(store, { parent: { id: 'nobody', seq: 0 } }))
    expect((await store.sessions()).sessions).toEqual([])
  })

  async function createMany(store: Store, clock: Clock, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let i = 0; i < count; i++) {
      clock.now++
      ids.push((await create(store)).id)
    }
    return ids
  }

  async function allPages(store: Store, query: SessionQuery): Promise<string[][]> {
    const pages: string[][] = []
    let before: string | undefined
    do {
      const page = await store.sessions({ ...query, ...(before === undefined ? {} : { before }) })
      pages.push(page.sessions.map((session) => session.id))
      before = page.next
      expect(pages.length).toBeLessThan(20)
    } while (before !== undefined)
    return pages
  }
}
