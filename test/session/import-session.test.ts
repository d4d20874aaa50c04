import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { breakerOf } from '../../src/engine/plan/breaker.ts'
import type { Entry } from '../../src/model/entry.ts'
import { importSession } from '../../src/session/import-session.ts'
import { user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>

beforeEach(async () => {
  temporary = await temporaryStore()
})
afterEach(() => temporary.remove())

describe('a session that is imported with gaps in its log', () => {
  it('keeps the seq of every entry, and what fills the gaps means nothing', async () => {
    const { store } = temporary
    const said = (seq: number): Entry => ({
      id: `e${seq}`,
      seq,
      at: 1,
      type: 'message',
      message: user(`number ${seq}`),
    })
    const { id } = await importSession(store, { entries: [said(2), said(5)] }, { owner: 'ann', workspace: '/repo' })
    const { entries } = await store.entries(id)
    expect(entries.map(({ type }) => type)).toEqual(['settings', 'message', 'settings', 'settings', 'message'])
    expect(entries[4]).toMatchObject({ seq: 5, message: user('number 5') })
    expect(breakerOf(entries).failures).toBe(0)
    expect((await store.session(id))?.title).toBeUndefined()
  })
})
