import { expect, it } from 'vitest'
import { fork, withTexts } from './helpers.ts'
import type { Start } from './world.ts'

/** The account of a session that is kept beside its log. */
export function accountTests(start: Start): void {
  const body = '{"reason":"\\u0000"}'

  it('gives back the last one that was kept of each session that is asked for', async () => {
    const { store } = await start()
    const [a, b] = [await withTexts(store, 'one'), await withTexts(store, 'one', 'two')]
    await store.keepAccount({ session: a.id, upTo: 1, body: '{}' })
    await store.keepAccount({ session: a.id, upTo: 1, body })
    await store.keepAccount({ session: b.id, upTo: 2, body })
    expect(await store.accounts([a.id, 'unknown'])).toEqual([{ session: a.id, upTo: 1, body }])
    expect(await store.accounts([a.id, b.id])).toHaveLength(2)
    expect(await store.accounts([])).toEqual([])
  })

  it('keeps none of a session that has grown since', async () => {
    const { store } = await start()
    const session = await withTexts(store, 'one', 'two')
    await store.keepAccount({ session: session.id, upTo: 1, body })
    expect(await store.accounts([session.id])).toEqual([])
  })

  it('forgets them when an entry is redacted, in forks too, and when the session is deleted', async () => {
    const { store } = await start()
    const session = await withTexts(store, 'one')
    const child = await fork(store, session, 1)
    const ids = [session.id, child.id]
    for (const id of ids) await store.keepAccount({ session: id, upTo: 1, body })
    await store.redact(child.id, [1])
    expect(await store.accounts(ids)).toEqual([])
    for (const id of ids) await store.keepAccount({ session: id, upTo: 2, body })
    for (const id of ids) await store.deleteSession(id)
    expect(await store.accounts(ids)).toEqual([])
  })
}
