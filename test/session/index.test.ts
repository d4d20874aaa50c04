import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { type EntryDraft, type Message, messagesOf } from '../../src/model/types.ts'
import {
  compactSession,
  editSummary,
  exportSession,
  openSession,
  pin,
  previewSession,
  recall,
  redo,
  searchSession,
  stateOf,
  undo,
} from '../../src/session/index.ts'
import type { Store } from '../../src/store/store.ts'
import { assistant, call, modelSaying, result, turns, user } from '../support/messages.ts'
import { countingDeps, temporaryStore } from '../support/store.ts'

const SUMMARY = '## Goal\nTo answer each question that was asked, one after the other, until none is left.'
const model = { contextWindow: 16_000 }
const said = (messages: readonly Message[]): EntryDraft[] => messages.map((message) => ({ type: 'message', message }))

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let store: Store
let id: string
const deps = countingDeps()

beforeEach(async () => {
  temporary = await temporaryStore(deps)
  store = temporary.store
  id = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
})
afterEach(() => temporary.remove())

const compacted = (more: Partial<Parameters<typeof compactSession>[2]> = {}) =>
  compactSession(store, id, { holder: 'test', model, summaryModels: [modelSaying(SUMMARY)], ...more })
const viewTexts = async (of = store) => JSON.stringify(messagesOf((await openSession(of, id)).view))

describe('a stored session', () => {
  it('A9: every compaction is kept with when, why, tokens before and after, and messages removed', async () => {
    await store.append(id, said(turns(30, 400)))
    const first = await compacted()
    await store.append(id, said(turns(30, 400)))
    const second = await compacted({ reason: 'overflow' })
    await undo(store, id)
    const { compactions } = stateOf(await openSession(store, id))
    expect(compactions).toMatchObject([
      { reason: 'manual', tokensBefore: first.tokensBefore, tokensAfter: first.tokensAfter, undone: false },
      { reason: 'overflow', messages: second.messagesRemoved, undone: true },
    ])
    expect(compactions[0]?.at).toBeGreaterThan(0)
  })

  it('A1: token counts are part of its state', async () => {
    await store.append(id, [
      ...said([user('hello')]),
      { type: 'message', message: assistant('hi'), usage: { inputTokens: 1_000, outputTokens: 24 } },
    ])
    const { status } = stateOf(await openSession(store, id), { model: { contextWindow: 2_048 } })
    expect(status).toMatchObject({ tokens: 1_024, percent: 50, source: 'provider' })
  })

  it('opens with what its view needs, and the view is the fold of the whole log', async () => {
    await store.append(id, said(turns(40, 400)))
    await compacted()
    await store.append(id, said(turns(3, 400)))
    const open = await openSession(store, id)
    expect(open.log.length).toBeLessThan(40)
    const { entries } = await store.entries(id)
    expect(messagesOf(open.view)).toEqual(messagesOf(viewOf(entries)))
  })

  it('is repaired when it is opened, and the repair is an entry', async () => {
    await store.append(id, said([user('go'), call('x'), user('well?'), assistant('sorry')]))
    const { view } = await openSession(store, id)
    expect(messagesOf(view)).toHaveLength(5)
    const { entries } = await store.entries(id, { only: 'changes' })
    expect(entries.map(({ type }) => type)).toEqual(['repair'])
    await openSession(store, id)
    expect((await store.entries(id)).entries).toHaveLength(5)
  })
})

describe('undo and redo', () => {
  it('give back the view byte for byte, also after a restart, with what was said since', async () => {
    await store.append(id, said(turns(30, 400)))
    const before = await viewTexts()
    await compacted()
    const after = await viewTexts()
    expect(await undo(store, id)).toMatchObject({ ok: true })
    const again = await temporary.reopen()
    expect(await viewTexts(again)).toBe(before)
    expect(await redo(again, id)).toMatchObject({ ok: true })
    expect(await viewTexts()).toBe(after)
    await store.append(id, said([user('one more')]))
    expect(await undo(store, id)).toMatchObject({ ok: true })
    expect(await viewTexts()).toBe(`${before.slice(0, -1)},${JSON.stringify(user('one more'))}]`)
  })

  it('say when there is nothing to take back', async () => {
    expect(await undo(store, id)).toEqual({ ok: false, reason: 'Nothing to undo' })
    expect(await redo(store, id)).toEqual({ ok: false, reason: 'Nothing to redo' })
  })

  it('work in a fork, and leave its parent alone', async () => {
    await store.append(id, said(turns(30, 400)))
    const before = await viewTexts()
    await compacted()
    const compactedView = await viewTexts()
    const { lastSeq = 0 } = (await store.session(id)) ?? {}
    const fork = await store.createSession({ owner: 'ann', workspace: '/repo', parent: { id, seq: lastSeq } })
    await undo(store, fork.id)
    expect(JSON.stringify(messagesOf((await openSession(store, fork.id)).view))).toBe(before)
    expect(await viewTexts()).toBe(compactedView)
  })
})

describe('a compaction of a stored session', () => {
  it('is refused while another process does it, and names that one', async () => {
    await store.append(id, said(turns(30, 400)))
    await store.acquireLease(id, 'the other', 60_000)
    expect(await compacted()).toMatchObject({ compacted: false, outcome: 'busy', holder: 'the other', entries: [] })
    deps.advance(60_000)
    expect(await compacted()).toMatchObject({ compacted: true })
  })

  it('that is refused lists the files of the session, as every other skip does', async () => {
    await store.append(id, said([user('fix it'), call('c1', 'read', { path: 'a.ts' }), result('c1')]))
    await store.append(id, said([call('c2', 'write', { path: 'b.ts' }), result('c2')]))
    await store.acquireLease(id, 'the other', 60_000)
    const refused = await compacted()
    expect(refused).toMatchObject({ outcome: 'busy', readFiles: ['a.ts'], modifiedFiles: ['b.ts'] })
    expect(refused.tokensBefore).toBeGreaterThan(0)
  })

  it('commits nothing when the view changed meanwhile, however often it was planned again', async () => {
    await store.append(id, said(turns(30, 400)))
    const slow = {
      name: 'test/slow',
      async *stream() {
        await store.append(id, [{ type: 'mask', targets: [], tokensBefore: 0, tokensAfter: 0 }])
        yield SUMMARY
      },
    }
    const late = await compacted({ summaryModels: [slow], policy: { rungs: ['cold'] } })
    expect(late).toMatchObject({ compacted: false, skip: 'superseded' })
    const { entries } = await store.entries(id, { only: 'changes' })
    expect(entries.map(({ type }) => type)).toEqual(['mask', 'mask', 'mask'])
  })

  it('keeps what was said meanwhile, and is refused when it does not fit any more', async () => {
    await store.append(id, said(turns(30, 400)))
    const during = (message: Message) => ({
      name: 'test/slow',
      async *stream() {
        await store.append(id, said([message]))
        yield SUMMARY
      },
    })
    const policy = { rungs: ['cold' as const, 'squeeze' as const] }
    const huge = await compacted({ summaryModels: [during(user('word '.repeat(40_000)))], policy })
    expect(huge).toMatchObject({ compacted: false })
    expect(huge.reason).toMatch(/more than the limit/)
    const small = await compacted({ summaryModels: [during(user('and this'))], reason: 'overflow' })
    expect(small).toMatchObject({ compacted: true })
    expect(await viewTexts()).toContain('and this')
  })

  it('that failed leaves its reason in the log and the view as it was', async () => {
    await store.append(id, said(turns(30, 400)))
    const before = await viewTexts()
    const failed = await compacted({ policy: { preset: 'koda' }, summaryModels: [modelSaying('')] })
    expect(failed).toMatchObject({ outcome: 'failed' })
    expect(await viewTexts()).toBe(before)
    expect(stateOf(await openSession(store, id)).breaker.failures).toBe(1)
  })

  it('can be looked at before, without being done', async () => {
    await store.append(id, said(turns(30, 400)))
    const prices = { input: 1_000, output: 1_000 }
    const look = await previewSession(store, id, { model, summaryModels: [{ ...modelSaying(SUMMARY), prices }] })
    expect(look).toMatchObject({ kind: 'compact', from: 1 })
    expect(look.kind === 'compact' && (look.estimatedCost ?? 0)).toBeGreaterThan(0)
    expect((await store.entries(id)).entries).toHaveLength(60)
    const done = await compacted()
    expect(look.kind === 'compact' && look.messages).toBe(done.messagesRemoved)
    expect(look.kind === 'compact' && look.kept).toEqual(done.messages.slice(1))
  })
})

describe('a summary, a pin', () => {
  it('is the user’s to rewrite, and the undo takes that back', async () => {
    await store.append(id, said(turns(30, 400)))
    const done = await compacted()
    const seq = done.entries.at(-1)?.seq ?? 0
    await editSummary(store, id, seq, '## Goal\nSomething else.')
    expect(await viewTexts()).toContain('Something else.')
    await undo(store, id)
    expect(await viewTexts()).toContain('To answer each question')
    await expect(editSummary(store, id, 1, 'x')).rejects.toThrow('entry #1 is not a compaction: its type is message')
  })

  it('keeps a message through a compaction', async () => {
    await store.append(id, said([user('the port is 4711'), ...turns(30, 400)]))
    await pin(store, id, 1)
    await compacted()
    expect(messagesOf((await openSession(store, id)).view)).toContainEqual(user('the port is 4711'))
    await expect(pin(store, id, 999)).rejects.toThrow('has no entry #999')
  })
})

describe('recall', () => {
  it('finds what was compacted and gives it back verbatim, by handle or range', async () => {
    await store.append(id, said([user('the secret handshake is loginHandler'), ...turns(30, 400)]))
    await compacted()
    const [hit] = (await searchSession(store, id, 'ginHand')).hits
    expect(hit).toMatchObject({ seq: 1, turn: 1, type: 'message' })
    expect(hit?.snippet).toContain('loginHandler')
    expect(await recall(store, id, '#1')).toMatchObject([{ seq: 1 }])
    expect((await recall(store, id, '#2-#4')).map(({ seq }) => seq)).toEqual([2, 3, 4])
    await expect(recall(store, id, 'the first')).rejects.toThrow('is not a handle')
  })
})

describe('an export', () => {
  it('is the row and every entry as JSON Lines', async () => {
    await store.append(id, said(turns(5, 40)))
    const lines: unknown[] = []
    for await (const line of exportSession(store, id)) lines.push(JSON.parse(line))
    expect(lines).toHaveLength(11)
    expect(lines[0]).toMatchObject({ type: 'session', id, owner: 'ann' })
    expect(lines.slice(1)).toEqual((await store.entries(id)).entries)
  })
})
