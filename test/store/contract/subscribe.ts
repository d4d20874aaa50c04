import { expect, it } from 'vitest'
import type { Seq } from '../../../src/model/types.ts'
import { ear, seqsOf } from './ear.ts'
import { contents, create, fork, range, say, seqs, texts } from './helpers.ts'
import type { Start } from './world.ts'

/** The changes that listeners get after appends. */
export function subscribeTests(start: Start): void {
  it('reports every append, in the order of each session', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    const { listen, changes, hears } = ear()
    store.subscribe(listen)
    for (let i = 0; i < 5; i++) {
      await say(store, a, `a${i}`)
      await say(store, b, `b${i}`)
    }
    await hears(a, 5)
    await hears(b, 5)
    expect(seqsOf(changes, a)).toEqual([1, 2, 3, 4, 5])
    expect(seqsOf(changes, b)).toEqual([1, 2, 3, 4, 5])
    for (const change of changes) expect(Object.keys(change).toSorted()).toEqual(['seq', 'session'])
  })

  it('reports appends at the same time in the order of their seq', async () => {
    const { store } = await start()
    const session = await create(store)
    const { listen, changes, hears } = ear()
    store.subscribe(listen)
    await Promise.all(range(1, 50).map((i) => say(store, session, `${i}`)))
    await hears(session, 50)
    expect(seqsOf(changes, session)).toEqual(range(1, 50))
  })

  it('reports an append of several drafts up to its last seq, and never goes back', async () => {
    const { store } = await start()
    const session = await create(store)
    const { listen, changes, hears } = ear()
    store.subscribe(listen)
    await say(store, session, 'one', 'two', 'three')
    await say(store, session, 'four')
    await hears(session, 4)
    const list = seqsOf(changes, session)
    expect(list).toContain(3)
    expect(list).toEqual([...new Set(list)].toSorted((a, b) => a - b))
  })

  it('reports a redaction, which is an append', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const { listen, hears } = ear()
    store.subscribe(listen)
    await store.redact(session.id, [1])
    await hears(session, 2)
  })

  it("reports only what was appended, and the appends of a fork as the fork's", async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two')
    const { listen, changes, hears } = ear()
    store.subscribe(listen)
    const child = await fork(store, parent, 1)
    await store.append(child.id, texts('lost'), { revision: 7 })
    await store.append(child.id, texts('own'), { key: 'k' })
    await store.append(child.id, texts('own'), { key: 'k' })
    await say(store, child, 'last')
    await hears(child, 3)
    expect(seqsOf(changes, child)).toEqual([2, 3])
    // A change from just before may still arrive.
    expect(changes.filter((change) => change.session !== child.id && change.session !== parent.id)).toEqual([])
  })

  it('has appended the entry when it reports it', async () => {
    const { store } = await start()
    const session = await create(store)
    const { listen, hears } = ear()
    const reads: Promise<Seq[]>[] = []
    store.subscribe((change) => {
      reads.push(seqs(store, session, { seqs: [change.seq] }))
      listen(change)
    })
    await say(store, session, 'one')
    await say(store, session, 'two')
    await hears(session, 2)
    expect(await Promise.all(reads)).toEqual([[1], [2]])
  })

  it('reports nothing more once it is stopped, and the others continue', async () => {
    const { store } = await start()
    const session = await create(store)
    const [stopped, other] = [ear(), ear()]
    const stop = store.subscribe(stopped.listen)
    store.subscribe(other.listen)
    await say(store, session, 'one')
    await Promise.all([stopped.hears(session, 1), other.hears(session, 1)])
    stop()
    stop()
    await say(store, session, 'two')
    await other.hears(session, 2)
    expect(seqsOf(stopped.changes, session)).toEqual([1])
  })

  it('is not disturbed by a listener that throws', async () => {
    const { store } = await start()
    const session = await create(store)
    const [before, after] = [ear(), ear()]
    store.subscribe(before.listen)
    store.subscribe(() => {
      throw new Error('broken listener')
    })
    store.subscribe(after.listen)
    await say(store, session, 'one')
    await say(store, session, 'two')
    await Promise.all([before.hears(session, 2), after.hears(session, 2)])
    expect(seqsOf(before.changes, session)).toEqual([1, 2])
    expect(seqsOf(after.changes, session)).toEqual([1, 2])
    expect(await contents(store, session)).toEqual(['one', 'two'])
  })
}
