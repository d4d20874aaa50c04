import { expect, it } from 'vitest'
import type { AppendSizes, Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'
import { fork, withTexts } from './helpers.ts'
import type { Start } from './world.ts'

/** The sizes that an append brings and returns, so that it need not read the session. */
export function sizeTests(start: Start): void {
  it('returns those of the entries since the one that the caller has counted', async () => {
    const { store } = await start()
    const { id } = await withTexts(store)
    expect((await sized(store, id, { drafts: ['1'], since: 0 })).before).toEqual({ sizes: [] })
    expect((await sized(store, id, { drafts: ['2', '3'], since: 1 })).before).toEqual({ sizes: [] })
    expect((await sized(store, id, { drafts: ['4'], since: 1 })).before).toEqual({ sizes: ['2', '3'] })
    expect((await sized(store, id, { drafts: ['5', '6'], since: 0 })).before).toEqual({ sizes: ['1', '2', '3', '4'] })
  })

  it('returns null for an entry that was stored without one', async () => {
    const { store } = await start()
    const { id } = await withTexts(store, 'one')
    await store.append(id, [{ type: 'todo', items: [] }])
    expect((await sized(store, id, { drafts: ['3'], since: 0 })).before).toEqual({ sizes: [null, null] })
    expect((await sized(store, id, { drafts: ['4', '5'], since: 1 })).before).toEqual({ sizes: [null, '3'] })
  })

  it('returns the size of the session that was kept, with those of the entries since', async () => {
    const { store } = await start()
    const { id } = await withTexts(store, 'one')
    expect((await sized(store, id, { drafts: ['2'] })).before).toBeUndefined()
    await sized(store, id, { drafts: ['3'], since: 2, keep: '{"upTo":2}' })
    const kept = { upTo: 2, body: '{"upTo":2}' }
    expect((await sized(store, id, { drafts: ['4'] })).before).toEqual({ kept, sizes: ['3'] })
    expect((await sized(store, id, { drafts: ['5', '6'] })).before).toEqual({ kept, sizes: ['3', '4'] })
    await sized(store, id, { drafts: ['7', '8'], since: 6, keep: 'later' })
    expect((await sized(store, id, { drafts: ['9'] })).before).toEqual({
      kept: { upTo: 6, body: 'later' },
      sizes: ['7', '8'],
    })
  })

  it('returns none if there are too many entries, or the append is a repetition', async () => {
    const { store } = await start()
    const { id } = await withTexts(store)
    const many = Array.from({ length: 201 }, (_, i) => `${i}`)
    await sized(store, id, { drafts: many, since: 0 })
    expect((await sized(store, id, { drafts: ['more'], since: 0 }, 'key')).before).toBeUndefined()
    const again = await sized(store, id, { drafts: ['more'], since: 201 }, 'key')
    expect(again).toMatchObject({ entries: [{ seq: 202 }] })
    expect(again.before).toBeUndefined()
    expect((await sized(store, id, { drafts: ['last'], since: 2 })).before?.sizes).toEqual([...many.slice(2), 'more'])
  })

  it('forgets those of a redacted entry, and the kept one of every session that shares it', async () => {
    const { store } = await start()
    const session = await withTexts(store)
    await sized(store, session.id, { drafts: ['1'], since: 0 })
    const child = await fork(store, session, 1)
    for (const { id } of [session, child]) await sized(store, id, { drafts: ['2'], since: 1, keep: 'kept' })
    await store.redact(child.id, [1])
    expect((await sized(store, session.id, { drafts: ['4'], since: 0 })).before).toEqual({ sizes: [null, '2', null] })
    for (const { id } of [session, child]) expect((await sized(store, id, { drafts: ['5'] })).before).toBeUndefined()
  })
}

async function sized(store: Store, id: string, sizes: AppendSizes, key?: string) {
  const drafts = sizes.drafts.map((size) => ({ type: 'message' as const, message: user(`of size ${size}`) }))
  const appended = await store.append(id, drafts, { sizes, key })
  if (!appended.ok) throw new Error(appended.reason)
  return appended
}
