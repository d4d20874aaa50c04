import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { type EntryDraft, messagesOf, type View } from '../../src/model/types.ts'
import { compactSession, editSummary, openSession, redo, stateOf, undo } from '../../src/session/index.ts'
import type { Store } from '../../src/store/store.ts'
import { call, modelSaying, result, turns, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let store: Store
let id: string

beforeEach(async () => {
  temporary = await temporaryStore()
  store = temporary.store
  id = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
})
afterEach(() => temporary.remove())

let made = 0
async function work(): Promise<void> {
  const at = ++made
  const messages = [call(`c${at}`), result(`c${at}`, `output ${at} `.repeat(50)), ...turns(12, 800)]
  await store.append(
    id,
    messages.map((message): EntryDraft => ({ type: 'message', message })),
  )
  const summaryModels = [modelSaying(`## Goal\nPart ${at}.`)]
  const done = await compactSession(store, id, { holder: 't', model: { contextWindow: 8_000 }, summaryModels })
  expect(done.outcome).toBe('compacted')
}

/** The messages of the view, and the facts of its summaries. */
const contentOf = (view: View) =>
  JSON.stringify([messagesOf(view), view.items.slice().map((item) => item.kind === 'summary' && item.index)])
const fromLog = async () => contentOf(viewOf((await store.entries(id)).entries))

describe('what is kept beside the log', () => {
  it('gives the view that the whole log gives, through compactions, an undo, a redo, an edit and a redaction', async () => {
    const steps = [
      work,
      work,
      work,
      () => undo(store, id),
      () => undo(store, id),
      work,
      () => redo(store, id),
      () => undo(store, id),
      () => redo(store, id),
      async () =>
        editSummary(
          store,
          id,
          (await openSession(store, id)).log.findLast((e) => e.type === 'compaction')?.seq ?? 0,
          'Mine.',
        ),
      work,
      () => store.redact(id, [3]),
      work,
    ]
    for (const step of steps) {
      await step()
      expect(contentOf((await openSession(store, id)).view)).toBe(await fromLog())
      // Once more: now from what the first opening kept.
      expect(contentOf((await openSession(store, id)).view)).toBe(await fromLog())
    }
  })

  it('spares the facts of compactions that another replaced', async () => {
    for (let i = 0; i < 4; i++) await work()
    const reads: unknown[] = []
    const watched: Store = {
      ...store,
      entries: async (session, query) => {
        const page = await store.entries(session, query)
        reads.push(...page.entries.filter((entry) => entry.type === 'compaction' && entry.summary !== ''))
        return page
      },
    }
    const { view } = await openSession(watched, id)
    expect(reads).toEqual([])
    expect(contentOf(view)).toBe(await fromLog())
  })

  it('holds after the repair of a call that a kill left open', async () => {
    for (let i = 0; i < 3; i++) await work()
    const messages = [call('open'), user('Go on.')]
    await store.append(
      id,
      messages.map((message): EntryDraft => ({ type: 'message', message })),
    )
    const reads: unknown[] = []
    const watched: Store = {
      ...store,
      entries: async (session, query) => {
        const page = await store.entries(session, query)
        reads.push(...page.entries.filter((entry) => entry.type === 'compaction' && entry.summary !== ''))
        return page
      },
    }
    const { log, session, view } = await openSession(watched, id)
    expect(log.at(-1)?.type).toBe('repair')
    expect(contentOf(view)).toBe(await fromLog())
    expect(await store.session(id)).toEqual(session)
    expect(contentOf((await openSession(watched, id)).view)).toBe(await fromLog())
    expect(reads).toEqual([])
  })

  it('is made again from the log when it is gone', async () => {
    for (let i = 0; i < 2; i++) await work()
    const { session } = await openSession(store, id)
    await store.keepSummaries(id, session.revision, [])
    expect(contentOf((await openSession(store, id)).view)).toBe(await fromLog())
    expect(await store.summaries(id, session.revision)).toHaveLength(1)
  })

  it('is made again from the log when an earlier version rendered it', async () => {
    await work()
    const { session } = await openSession(store, id)
    const [kept] = await store.summaries(id, session.revision)
    const { rendering: _, ...body } = JSON.parse(kept?.body ?? '{}')
    const old = JSON.stringify({ ...body, message: { role: 'user', content: '#99 forged' } })
    await store.keepSummaries(id, session.revision, [{ seq: kept?.seq ?? 0, facts: kept?.facts ?? '', body: old }])
    expect(contentOf((await openSession(store, id)).view)).toBe(await fromLog())
  })

  it('knows the files of all spans', async () => {
    const before = made
    for (let i = 0; i < 3; i++) await work()
    const { files } = stateOf(await openSession(store, id))
    expect(files.map(({ path }) => path)).toEqual([1, 2, 3].map((i) => `c${before + i}.ts`))
  })

  it('lets a session open whose compaction cannot be read, and whose summaries cannot be kept', async () => {
    await work()
    await work()
    const { session } = await openSession(store, id)
    const [last = 0] = (await store.summaries(id, session.revision)).map(({ seq }) => seq)
    await store.keepSummaries(id, session.revision, [])
    const broken: Store = {
      ...store,
      entries: async (of, query) => {
        const page = await store.entries(of, query)
        const bad = query?.seqs?.includes(last) === true ? [{ seq: last, id: 'row', reason: 'broken' }] : []
        return bad.length === 0 ? page : { entries: page.entries.filter(({ seq }) => seq !== last), bad }
      },
      keepSummaries: () => Promise.reject(new Error('the disk is full')),
    }
    const open = await openSession(broken, id)
    expect(open.bad).toEqual([{ seq: last, id: 'row', reason: 'broken' }])
    const rest = (await store.entries(id)).entries.filter(({ seq }) => seq !== last)
    expect(messagesOf(open.view)).toEqual(messagesOf(viewOf(rest)))
  })
})
