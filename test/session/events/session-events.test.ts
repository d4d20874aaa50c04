import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EntryDraft, Message, SummaryModel } from '../../../src/model/types.ts'
import {
  compactSession,
  editSummary,
  followSession,
  openSession,
  pin,
  redo,
  type SessionEvent,
  sessionEvents,
  undo,
  unpin,
} from '../../../src/session/index.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { full } from '../../support/full.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../support/messages.ts'
import { PLACES, type Place } from '../../support/session-places.ts'
import { temporaryStore } from '../../support/store.ts'

const SUMMARY = '## Goal\nTo get on.'
const said = (messages: readonly Message[]): EntryDraft[] => messages.map((message) => ({ type: 'message', message }))

describe.each(PLACES)('the events of a session, on %s', (_, start) => {
  let place: Place
  let where: string
  let store: Store
  let other: Store
  let id: string
  beforeAll(async () => {
    place = await start()
    where = await place.where()
  }, 120_000)
  afterAll(() => place?.stop())
  beforeEach(async () => {
    store = await openStore(where)
    other = await openStore(where)
    id = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
  })
  afterEach(async () => {
    await store.close()
    await other.close()
  })

  const compacted = (more: Partial<Parameters<typeof compactSession>[2]> = {}) =>
    compactSession(store, id, {
      holder: 'test',
      model: { contextWindow: 16_000 },
      summaryModels: [modelSaying(SUMMARY)],
      ...more,
    })
  /** All events from a seq on, up to the entry that the log ends with now. */
  const eventsUpTo = async (end: number, after = 0, of = store) => {
    const stop = new AbortController()
    const seen: SessionEvent[] = []
    for await (const event of sessionEvents(of, id, after, stop.signal)) {
      seen.push(event)
      if (event.seq === end && event.type !== 'entry') stop.abort()
    }
    return seen
  }
  const typed = (events: readonly SessionEvent[]) => events.filter((event) => event.type !== 'entry')
  const lastSeq = async () => (await store.session(id))?.lastSeq ?? 0

  it('are its log from any seq on, each entry once and in order, also from another process’s store', async () => {
    await store.append(id, said(turns(2, 40)))
    const seen: SessionEvent[] = []
    const done = new Promise<void>((resolve) => {
      followSession(store, id, 2, (event) => {
        seen.push(event)
        if (event.type === 'message' && event.seq === 10) resolve()
      })
    })
    for (let i = 0; i < 6; i++) await other.append(id, said([user(`more ${i}`)]))
    await done
    expect(seen.filter(({ type }) => type === 'entry').map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
    expect(typed(seen).map(({ type, seq }) => [type, seq])).toEqual(
      [3, 4, 5, 6, 7, 8, 9, 10].map((n) => ['message', n]),
    )
  })

  it('say what each entry means', async () => {
    await store.append(id, [...said(turns(30, 400)), { type: 'todo', items: [] }])
    const from = await lastSeq()
    const done = await compacted()
    const seq = done.entries.at(-1)?.seq ?? 0
    await editSummary(store, id, seq, 'Mine.')
    await undo(store, id)
    await redo(store, id)
    await pin(store, id, 1)
    await unpin(store, id, 1)
    await store.redact(id, [2])
    await store.renameSession(id, 'A name')
    await store.append(id, [
      { type: 'mask', targets: [3], tokensBefore: 9, tokensAfter: 4 },
      { type: 'squeeze', squeezes: [] },
      { type: 'attempt', outcome: 'failed', reason: 'no network' },
      { type: 'attempt', outcome: 'cancelled', reason: 'Compaction cancelled' },
      { type: 'attempt', outcome: 'skipped', reason: 'The view has changed meanwhile', cost: 2 },
      ...said([call('x'), user('well?'), assistant('sorry')]),
    ])
    await openSession(store, id)
    const events = typed(await eventsUpTo(await lastSeq(), from, other))
    const { tokensBefore, tokensAfter } = done
    expect(events).toMatchObject([
      { type: 'compacted', seq, tokensBefore, tokensAfter, tokensSaved: tokensBefore - tokensAfter, rung: 'cold' },
      // The edit is of a summary that covers what was redacted.
      { type: 'edited', of: seq, summary: expect.stringContaining('redacted') },
      { type: 'undone', of: seq + 1 },
      { type: 'redone', of: seq + 2 },
      { type: 'pinned', target: 1 },
      { type: 'unpinned', target: 1 },
      { type: 'redacted', target: 2 },
      { type: 'settings', title: 'A name' },
      { type: 'masked', targets: [3], tokensSaved: 5 },
      { type: 'squeezed' },
      { type: 'compaction-failed', reason: 'no network' },
      { type: 'compaction-cancelled' },
      { type: 'compaction-skipped', cost: 2 },
      { type: 'message' },
      { type: 'message' },
      { type: 'message' },
      { type: 'repaired', changes: [{ op: 'add-result' }] },
    ])
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => from + 1 + i))
  })

  it('report a compaction in the process that runs it: its start, its progress, and then its entry', async () => {
    await store.append(id, said(turns(30, 400)))
    const from = await lastSeq()
    const here: SessionEvent[] = []
    const stop = followSession(store, id, from, (event) => here.push(event))
    const slow: SummaryModel = {
      name: 'test/slow',
      async *stream() {
        await other.append(id, said([user('said meanwhile')]))
        yield SUMMARY
      },
    }
    await compacted({ summaryModels: [slow] })
    await store.append(id, said([user('said after')]))
    await until(() => here.at(-1)?.seq === from + 3)
    stop()
    const events = typed(here).filter(({ seq }) => seq !== from + 1)
    expect(events.map((event) => (event.type === 'compaction' ? event.event.type : event.type))).toEqual([
      'start',
      'rung',
      'done',
      'compacted',
      'message',
    ])
    expect(here.filter(({ seq, type }) => seq === from + 1 && type === 'message')).toHaveLength(1)
    expect(typed(await eventsUpTo(from + 3, from, other)).map(({ type }) => type)).toEqual([
      'message',
      'compacted',
      'message',
    ])
  })

  it('come in the same order to a reader that is late: progress before what was appended after it', async () => {
    await store.append(id, said(turns(30, 400)))
    const from = await lastSeq()
    const events = sessionEvents(store, id, from - 1)
    const order: string[] = []
    for await (const event of events) {
      if (event.type === 'entry') continue
      order.push(event.type === 'compaction' ? event.event.type : event.type)
      if (order.length === 1) {
        await compacted()
        await undo(store, id)
        await compacted()
      }
      if (order.filter((type) => type === 'compacted').length === 2) break
    }
    const once = ['start', 'rung', 'done', 'compacted']
    expect(order).toEqual(['message', ...once, 'undone', ...once])
  })

  it('report a compaction that did not come about', async () => {
    const seen: SessionEvent[] = []
    const stop = followSession(store, id, 0, (event) => seen.push(event))
    const nextEvents = async (count: number) => {
      await until(() => typed(seen).filter(({ type }) => type !== 'message').length >= count)
      return typed(seen.splice(0)).filter(({ type }) => type !== 'message' && type !== 'compaction')
    }
    await compacted()
    expect(await nextEvents(1)).toEqual([
      { type: 'compaction-skipped', session: id, reason: 'Nothing to compact', skip: 'empty' },
    ])
    await store.append(id, said(turns(30, 400)))
    await other.acquireLease(id, 'the other', 60_000)
    await compacted()
    expect(await nextEvents(1)).toMatchObject([{ type: 'compaction-skipped', busy: 'the other' }])
    await other.acquireLease(id, 'the other', -1)
    await compacted({ policy: { preset: 'koda' }, summaryModels: [modelSaying('')] })
    await until(() => seen.at(-1)?.type === 'compaction-failed')
    expect(await nextEvents(1)).toMatchObject([{ type: 'compaction-failed', seq: 61 }])
    await compacted({ signal: AbortSignal.abort() })
    await until(() => seen.at(-1)?.type === 'compaction-cancelled')
    expect(await nextEvents(1)).toMatchObject([{ type: 'compaction-cancelled', seq: 62 }])
    stop()
  })

  it('do not wait for a listener that is slow, or that never comes back', async () => {
    const stuck: number[] = []
    const quick: number[] = []
    const stops = [
      followSession(store, id, 0, (event) => {
        if (event.type === 'message') stuck.push(event.seq)
        return new Promise(() => {})
      }),
      followSession(store, id, 0, (event) => {
        if (event.type === 'message') quick.push(event.seq)
        throw new Error('a listener that is broken')
      }),
    ]
    const all = Array.from({ length: 300 }, (_, i) => user(`number ${i}`))
    // More than a page at once, the rest one by one.
    await store.append(id, said(all.slice(0, 270)))
    for (const one of all.slice(270)) await store.append(id, said([one]))
    await compacted()
    await until(() => quick.length === all.length)
    expect(quick).toEqual(all.map((_, i) => i + 1))
    expect(stuck).toEqual([])
    for (const stop of stops) stop()
  })

  it('continue from the store for a reader that is far behind, a page at a time', async () => {
    let largest = 0
    const watched: Store = {
      ...store,
      entries: async (session, query) => {
        const page = await store.entries(session, query)
        largest = Math.max(largest, page.entries.length)
        return page
      },
    }
    const many = Array.from({ length: full ? 2_000 : 600 }, (_, i) => user(`number ${i}`))
    await store.append(id, said(many.slice(0, 1)))
    const seen: number[] = []
    for await (const event of sessionEvents(watched, id, 0)) {
      if (event.type === 'message') seen.push(event.seq)
      if (seen.length === many.length) break
      // The writer continues while the reader has hardly begun.
      if (seen.length === 1 && event.type === 'message') await store.append(id, said(many.slice(1)))
    }
    expect(seen).toEqual(many.map((_, i) => i + 1))
    expect(largest).toBeLessThanOrEqual(200)
  })

  it('end when the signal aborts, and refuse a session that is not there', async () => {
    const stop = new AbortController()
    const events = sessionEvents(store, id, 0, stop.signal)
    const next = events.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    await expect(sessionEvents(store, randomUUID(), 0).next()).rejects.toMatchObject({ code: 'unknown-session' })
  })

  it('report a tool’s result that came in another process between two of ours', async () => {
    await store.append(id, said([user('go'), call('x')]))
    const seen: string[] = []
    const stop = followSession(other, id, 0, (event) => event.type === 'message' && seen.push(event.message.role))
    await store.append(id, said([result('x')]))
    await other.append(id, said([assistant('done')]))
    await until(() => seen.length === 4)
    expect(seen).toEqual(['user', 'assistant', 'tool', 'assistant'])
    stop()
  })
})

it('a row that cannot be read is an event in its place', async () => {
  const temporary = await temporaryStore()
  const { store } = temporary
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  await store.append(id, said([user('one'), assistant('two'), user('three')]))
  const database = new DatabaseSync(temporary.path)
  database.exec("UPDATE entries SET body = '{\"broken' WHERE seq = 2")
  database.close()
  const events: [string, number | undefined][] = []
  for await (const event of sessionEvents(store, id)) {
    if (event.type !== 'entry') events.push([event.type, event.seq])
    if (events.length === 3) break
  }
  expect(events).toEqual([
    ['message', 1],
    ['bad-row', 2],
    ['message', 3],
  ])
  await temporary.remove()
})

async function until(isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(isSo()).toBe(true), { interval: 5, timeout: 30_000 })
}

it('a reader that leaves takes its listener off the signal', async () => {
  const { store, remove } = await temporaryStore()
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  await store.append(id, said([user('hello')]))
  const { signal } = new AbortController()
  for await (const _ of sessionEvents(store, id, 0, signal)) break
  expect(getEventListeners(signal, 'abort')).toEqual([])
  await remove()
})
