import { expect, it } from 'vitest'
import { call } from '../../support/messages.ts'
import { body, contents, create, found, range, read, refuses, said, say, seqs, sessionOf, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The effect of an append on a log. */
export function appendTests(start: Start): void {
  it('gives each draft an id, the next seq and the time', async () => {
    const { store, clock, issued } = await start()
    const session = await create(store)
    const at = clock.now
    const first = await say(store, session, 'one', 'two')
    clock.now += 10
    const second = await say(store, session, 'three')
    const all = [...first, ...second]
    expect(all.map((entry) => [entry.seq, entry.at])).toEqual([
      [1, at],
      [2, at],
      [3, at + 10],
    ])
    expect(new Set(all.map((entry) => entry.id)).size).toBe(3)
    for (const entry of all) expect(issued).toContain(entry.id)
    expect(await read(store, session)).toEqual(all)
  })

  it('counts each session by itself', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    await say(store, a, 'a1', 'a2')
    await say(store, b, 'b1')
    await say(store, a, 'a3')
    expect(await contents(store, a)).toEqual(['a1', 'a2', 'a3'])
    expect(await contents(store, b)).toEqual(['b1'])
    expect(await seqs(store, b)).toEqual([1])
  })

  it('orders by seq, also when the clock goes back', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    for (const text of ['one', 'two', 'three']) {
      clock.now -= 60_000
      await say(store, session, text)
    }
    expect(await contents(store, session)).toEqual(['one', 'two', 'three'])
  })

  it('appends no draft when one of them cannot be stored', async () => {
    const { store } = await start()
    const session = await create(store)
    const bad = said(call('c', 'read', { size: 1n }))
    await expect(store.append(session.id, [...texts('one'), bad])).rejects.toThrow()
    expect(await read(store, session)).toEqual([])
    expect(await found(store, 'one')).toEqual([])
    expect((await say(store, session, 'two')).map((entry) => entry.seq)).toEqual([1])
  })

  it('appends nothing to a session that does not exist', async () => {
    const { store } = await start()
    await refuses(store.append('nobody', texts('lost')))
    await expect(store.append('nobody', texts('lost'))).rejects.toThrow(/^there is no session nobody$/)
    await expect(store.entries('nobody')).rejects.toThrow(/^there is no session nobody$/)
    expect(await found(store, 'lost')).toEqual([])
  })

  it('of no drafts is an append of nothing', async () => {
    const { store } = await start()
    const session = await create(store)
    expect(await store.append(session.id, [])).toEqual({ ok: true, entries: [] })
    expect((await sessionOf(store, session)).lastSeq).toBe(0)
  })

  it('takes ten thousand drafts at once', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, texts(...range(1, 10_000).map((i) => `text ${i}`)))
    expect(await seqs(store, session)).toEqual(range(1, 10_000))
    expect((await sessionOf(store, session)).lastSeq).toBe(10_000)
  })

  it('gives fifty appends at once one order, without a gap and without a loss', async () => {
    const { store } = await start()
    const session = await create(store)
    const answers = await Promise.all(range(1, 50).map((i) => say(store, session, `text ${i}`)))
    const stored = await read(store, session)
    expect(stored.map((entry) => entry.seq)).toEqual(range(1, 50))
    expect(answers.flat().toSorted((a, b) => a.seq - b.seq)).toEqual(stored)
    expect(new Set(stored.map(body)).size).toBe(50)
    expect((await sessionOf(store, session)).lastSeq).toBe(50)
  })

  it('keeps the drafts of one append together among others, for every reader', async () => {
    const { store } = await start()
    const session = await create(store)
    const writes = range(1, 20).map((i) => say(store, session, `${i}`, `${i}`, `${i}`))
    const reads = await Promise.all(range(1, 20).map(() => contents(store, session)))
    await Promise.all(writes)
    for (const list of [...reads, await contents(store, session)]) {
      expect(list.length % 3).toBe(0)
      for (let i = 0; i < list.length; i += 3) expect(new Set(list.slice(i, i + 3)).size).toBe(1)
    }
  })

  it('to many sessions at once mixes nothing up', async () => {
    const { store } = await start()
    const sessions = await Promise.all(range(1, 5).map(() => create(store)))
    await Promise.all(range(1, 10).flatMap(() => sessions.map((session) => say(store, session, session.id))))
    for (const session of sessions) {
      expect(await contents(store, session)).toEqual(Array(10).fill(session.id))
      expect(await seqs(store, session)).toEqual(range(1, 10))
    }
  })
}
