import { expect, it } from 'vitest'
import type { Entry } from '../../../src/model/entry.ts'
import { compaction } from './drafts.ts'
import { added, contents, create, range, read, say, seqs, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** What an append does that is made twice. */
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

  it('of one session is none of another', async () => {
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
    await store.redact(session.id, 1)
    const again = await store.append(session.id, texts('hunter2'), { key: 'k' })
    expect(JSON.stringify(again)).not.toContain('hunter2')
    expect(await seqs(store, session)).toEqual([1, 2])
  })
}
