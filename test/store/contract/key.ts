import { expect, it } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { compaction } from './drafts.ts'
import { added, contents, create, fork, range, read, refuses, say, seqs, sessionOf, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The effect of an append or a creation that is made twice. */
export function keyTests(start: Start): void {
  it('makes a second append do nothing and answer with the entries of the first', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    const first = await store.append(session.id, texts('one', 'two'), { key: 'k' })
    clock.now += 1_000
    await say(store, session, 'three')
    expect(await store.append(session.id, texts('one', 'two'), { key: 'k' })).toEqual(first)
    expect(await store.append(session.id, texts('something else'), { key: 'k' })).toEqual(first)
    expect(await contents(store, session)).toEqual(['one', 'two', 'three'])
  })

  it('also answers when the first append changed the revision that both were planned on', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const guard = { since: 1, check: (later: readonly Entry[]) => (later.length === 0 ? undefined : 'grown') }
    const first = await store.append(session.id, [compaction()], { key: 'k', revision: 0, guard })
    expect(first.ok).toBe(true)
    expect(await store.append(session.id, [compaction()], { key: 'k', revision: 0, guard })).toEqual(first)
    expect(await seqs(store, session)).toEqual([1, 2])
  })

  it('is not used up by an append that was refused or superseded', async () => {
    const { store } = await start()
    const session = await create(store)
    const guard = { since: 0, check: () => 'no' }
    expect((await store.append(session.id, texts('one'), { key: 'k', guard })).ok).toBe(false)
    expect((await store.append(session.id, texts('one'), { key: 'k', revision: 9 })).ok).toBe(false)
    expect(added(await store.append(session.id, texts('one'), { key: 'k' }))).toHaveLength(1)
    expect(await contents(store, session)).toEqual(['one'])
  })

  it('holds for appends at the same time', async () => {
    const { store } = await start()
    const session = await create(store)
    const answers = await Promise.all(
      range(1, 20).map((i) => store.append(session.id, texts(`a${i}`, `b${i}`), { key: 'k' })),
    )
    const stored = await read(store, session)
    expect(stored).toHaveLength(2)
    for (const answer of answers) expect(added(answer)).toEqual(stored)
  })

  it('of one session does not count in another', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    await store.append(a.id, texts('one'), { key: 'k' })
    await store.append(b.id, texts('two'), { key: 'k' })
    await store.append(b.id, texts('three'), { key: 'other' })
    expect(await contents(store, a)).toEqual(['one'])
    expect(await contents(store, b)).toEqual(['two', 'three'])
  })

  it('does not bring back what was redacted since', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, texts('hunter2'), { key: 'k' })
    await store.redact(session.id, [1])
    const again = await store.append(session.id, texts('hunter2'), { key: 'k' })
    expect(JSON.stringify(again)).not.toContain('hunter2')
    expect(await seqs(store, session)).toEqual([1, 2])
  })

  it('finds what its append has added, nothing included, and nothing else', async () => {
    const { store } = await start()
    const session = await create(store)
    const first = added(await store.append(session.id, texts('one', 'two'), { key: 'k' }))
    await store.append(session.id, [], { key: 'empty' })
    await say(store, session, 'three')
    expect(await store.appended(session.id, 'k')).toEqual(first)
    expect(await store.appended(session.id, 'empty')).toEqual([])
    expect(await store.appended(session.id, 'other')).toBeUndefined()
    const child = await fork(store, session, 3)
    expect(await store.appended(child.id, 'k')).toBeUndefined()
    await refuses(store.appended('nobody', 'k'))
  })

  it('makes a second creation answer with the session of the first, as it is now', async () => {
    const { store } = await start()
    const first = await create(store, { title: 'first', key: 'k' })
    await say(store, first, 'one')
    expect(await create(store, { title: 'second', key: 'k' })).toEqual(await sessionOf(store, first))
    const other = await create(store, { key: 'other' })
    expect([other.id, other.lastSeq]).toEqual([expect.not.stringMatching(first.id), 0])
    expect((await store.sessions()).sessions).toHaveLength(2)
  })

  it('holds for creations at the same time', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one')
    const drafts = range(1, 10).map(() => ({ parent: { id: parent.id, seq: 1 }, key: 'k' }))
    const forks = await Promise.all(drafts.map((draft) => create(store, draft)))
    expect(new Set(forks.map(({ id }) => id)).size).toBe(1)
  })

  it('of a session that was deleted creates it again, unless forks keep a part of the old one', async () => {
    const { store } = await start()
    const first = await create(store, { key: 'k' })
    await say(store, first, 'one')
    await store.deleteSession(first.id)
    const again = await create(store, { key: 'k' })
    expect(await contents(store, again)).toEqual([])
    await say(store, again, 'two')
    const child = await fork(store, again, 1)
    await store.deleteSession(again.id)
    await refuses(create(store, { key: 'k' }))
    expect(await contents(store, child)).toEqual(['two'])
  })
}
