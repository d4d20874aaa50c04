import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { breakerOf } from '../../src/engine/plan/breaker.ts'
import type { Entry } from '../../src/model/entry.ts'
import { importSession } from '../../src/session/import-session.ts'
import { decoded, fixture } from '../formats/fixture.ts'
import { user } from '../support/messages.ts'
import { countingDeps, temporaryStore } from '../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let now = 0
const setTime = (at: number) => {
  now = at
}
const input = { owner: 'ann', workspace: '/repo', setTime }

beforeEach(async () => {
  temporary = await temporaryStore({ ...countingDeps(), clock: () => now })
})
afterEach(() => temporary.remove())

const storedLog = async (id: string) => (await temporary.store.entries(id)).entries
const withoutIds = (log: readonly Entry[]) => log.map(({ id: _, at: __, ...entry }) => entry)
const said = (seq: number, at = 1): Entry => ({
  id: `e${seq}`,
  seq,
  at,
  type: 'message',
  message: user(`number ${seq}`),
})

describe('a session that is imported', () => {
  it.each(['claude-code-compacted.jsonl', 'codex-compacted.jsonl', 'opencode.json', 'pi-v1.jsonl'])(
    'has every entry of %s, in its order and under its seq',
    async (name) => {
      const session = decoded(fixture(name))
      const { id, lastSeq } = await importSession(temporary.store, session, input)
      expect(lastSeq).toBe(session.entries.length)
      expect(withoutIds(await storedLog(id))).toEqual(withoutIds(session.entries))
    },
  )

  it('has every turn, however long the pauses between them are, at about the time that it had', async () => {
    const times = [1_000, 1_000, 16_000, 16_001, 31_000, 1_000_000, 1_000_001, 1_020_000]
    const entries = times.map((at, i) => said(i + 1, at))
    const { id } = await importSession(temporary.store, { entries }, input)
    const log = await storedLog(id)
    expect(withoutIds(log)).toEqual(withoutIds(entries))
    expect(log.map((entry) => entry.at)).toEqual([1_000, 1_000, 1_000, 16_001, 16_001, 1_000_000, 1_000_000, 1_020_000])
  })

  it('is not there at all when it cannot be stored whole', async () => {
    const { store } = temporary
    let appends = 0
    const failing = Object.assign(Object.create(store), {
      append: (...args: Parameters<typeof store.append>) => {
        if (++appends === 2) throw new Error('the disk is full')
        return store.append(...args)
      },
    })
    const entries = [said(1, 0), said(2, 60_000), said(3, 120_000)]
    await expect(importSession(failing, { entries }, input)).rejects.toThrow('the disk is full')
    expect((await store.sessions({ owner: 'ann' })).sessions).toEqual([])
  })
})

describe('a session that is imported with gaps in its log', () => {
  it('keeps the seq of every entry, and what fills the gaps means nothing', async () => {
    const { store } = temporary
    const { id } = await importSession(store, { entries: [said(2), said(5)] }, input)
    const entries = await storedLog(id)
    expect(entries.map(({ type }) => type)).toEqual(['settings', 'message', 'settings', 'settings', 'message'])
    expect(entries[4]).toMatchObject({ seq: 5, message: user('number 5') })
    expect(breakerOf(entries).failures).toBe(0)
    expect((await store.session(id))?.title).toBeUndefined()
  })
})
