import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { type EntryDraft, type Message, messagesOf, type SummaryModel } from '../../../src/model/types.ts'
import { compactSession } from '../../../src/session/compaction/compact-session.ts'
import { pin, unpin } from '../../../src/session/user-changes.ts'
import { call, modelSaying, result, turns, user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

const said = (messages: readonly Message[]): EntryDraft[] => messages.map((message) => ({ type: 'message', message }))

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let id: string

beforeEach(async () => {
  temporary = await temporaryStore()
  id = (await temporary.store.createSession({ owner: 'ann', workspace: '/repo' })).id
})
afterEach(() => temporary.remove())

describe('the commit of a compaction', () => {
  it('is refused when what was said meanwhile makes the request invalid, and the next try repairs that', async () => {
    const { store } = temporary
    await store.append(id, said([call('c1', 'read', { path: 'a.ts' }), result('c1', 'text'), ...turns(30, 400)]))
    let calls = 0
    const model: SummaryModel = {
      name: 'test/slow',
      prices: { input: 1, output: 1 },
      async *stream() {
        // The result of a call that this compaction replaces: after the summary it would answer nothing.
        if (++calls === 1) await store.append(id, said([result('c1', 'once more')]))
        yield '## Goal\nTo get on.'
        yield { type: 'finish', reason: 'stop', usage: { inputTokens: 100, outputTokens: 10 } }
      },
    }
    const done = await compactSession(store, id, {
      holder: 'test',
      model: { contextWindow: 16_000 },
      summaryModels: [model],
    })
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'cold' })
    expect(calls).toBe(2)
    const { entries } = await store.entries(id, { only: 'changes' })
    expect(entries.map(({ type }) => type)).toEqual(['repair', 'attempt', 'compaction'])
    expect(entries[1]).toMatchObject({ outcome: 'skipped', reason: expect.stringMatching(/meanwhile do not fit/) })
    const { messages } = requestOf(viewOf((await store.entries(id)).entries))
    expect(validate(messages)).toEqual([])
  })

  it.each(['pith', 'keen', 'koda', 'agent', 'kit'] as const)(
    'keeps a message that was pinned while the model wrote, under %s',
    async (preset) => {
      const { store } = temporary
      const messages = turns(30, 400)
      await store.append(id, said(messages))
      let calls = 0
      const model: SummaryModel = {
        name: 'test/slow',
        async *stream() {
          if (++calls === 1) await pin(store, id, 5)
          yield '## Goal\nTo get on.'
        },
      }
      const done = await compactSession(store, id, {
        holder: 'test',
        model: { contextWindow: 16_000 },
        policy: { preset, ...(preset === 'kit' ? { keepTokens: 500 } : {}) },
        summaryModels: [model],
      })
      expect(done, done.reason).toMatchObject({ compacted: true, rung: 'cold' })
      const view = viewOf((await store.entries(id)).entries)
      expect(messagesOf(view).slice(1)).toContainEqual(messages[4])
    },
  )

  it('does not wait for a pin of what stays, of what was gone before, or one that was taken back', async () => {
    const { store } = temporary
    await store.append(id, said(turns(30, 400)))
    const input = { holder: 'test', model: { contextWindow: 16_000 }, policy: { preset: 'koda' } } as const
    await compactSession(store, id, { ...input, summaryModels: [modelSaying('## Goal\nTo get on.')] })
    await store.append(id, said(turns(10, 400)))
    const last = (await store.session(id))?.lastSeq ?? 0
    let calls = 0
    const model: SummaryModel = {
      name: 'test/slow',
      async *stream() {
        calls++
        await pin(store, id, 5)
        await pin(store, id, last)
        await pin(store, id, last - 15)
        await unpin(store, id, last - 15)
        yield '## Goal\nTo get on.'
      },
    }
    const done = await compactSession(store, id, { ...input, summaryModels: [model] })
    expect(done, done.reason).toMatchObject({ compacted: true })
    expect(calls).toBe(1)
  })

  it('comes after what was said meanwhile, even if no window is known', async () => {
    const { store } = temporary
    await store.append(id, said(turns(30, 400)))
    const model: SummaryModel = {
      name: 'test/model',
      async *stream() {
        await store.append(id, said([user('and now?')]))
        yield '## Goal\nTo get on.'
      },
    }
    const done = await compactSession(store, id, {
      holder: 'test',
      policy: { rungs: ['cold'] },
      summaryModels: [model],
    })
    expect(done, done.reason).toMatchObject({ compacted: true })
    expect((await store.entries(id)).entries.slice(-2)).toMatchObject([
      { message: user('and now?') },
      { type: 'compaction' },
    ])
  })

  it('that failed does not answer for its key: the same request may be sent again', async () => {
    const { store } = temporary
    await store.append(id, said(turns(30, 400)))
    const compact = (summaryModels: readonly SummaryModel[]) =>
      compactSession(store, id, {
        holder: 'test',
        key: 'once',
        model: { contextWindow: 16_000 },
        policy: { rungs: ['cold'] },
        summaryModels,
      })
    const broken: SummaryModel = {
      name: 'test/broken',
      // biome-ignore lint/correctness/useYield: it fails before it says anything.
      async *stream() {
        throw new Error('no')
      },
    }
    expect(await compact([broken])).toMatchObject({ outcome: 'failed' })
    expect(await compact([modelSaying('## Goal\nTo get on.')])).toMatchObject({ outcome: 'compacted' })
    const { entries } = await store.entries(id, { only: 'changes' })
    expect(entries.map(({ type }) => type)).toEqual(['attempt', 'compaction'])
  })

  it('of nothing, or of what a person stopped, answers for its key, so that it is done once', async () => {
    const { store } = temporary
    const compact = (more: Partial<Parameters<typeof compactSession>[2]>) =>
      compactSession(store, id, { holder: 'test', model: { contextWindow: 16_000 }, ...more })
    expect(await compact({ key: 'nothing' })).toMatchObject({ outcome: 'skipped', skip: 'empty' })
    expect(await store.appended(id, 'nothing')).toEqual([])
    await store.append(id, said(turns(30, 400)))
    const stopped = await compact({
      key: 'stopped',
      signal: AbortSignal.abort(),
      summaryModels: [modelSaying('## Goal\nTo get on.')],
    })
    expect(stopped).toMatchObject({ outcome: 'cancelled' })
    expect(await store.appended(id, 'stopped')).toEqual(stopped.entries)
    const done = await compact({ key: 'done' })
    expect(done.compacted).toBe(true)
    expect(await store.appended(id, 'done')).toEqual(done.entries)
  })

  it('counts what was said meanwhile and is unread towards the limit, not towards the target', async () => {
    const { store } = temporary
    const during = (id: string, tokens: number): SummaryModel => ({
      name: 'test/slow',
      async *stream() {
        await store.append(id, said([user('word '.repeat(tokens))]))
        yield '## Goal\nTo get on.'
      },
    })
    const compacted = async (tokens: number) => {
      const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
      await store.append(id, said(turns(30, 400)))
      const model = { contextWindow: 16_000 }
      const policy = { rungs: ['cold' as const, 'squeeze' as const] }
      return compactSession(store, id, { holder: 'test', model, policy, summaryModels: [during(id, tokens)] })
    }
    expect(await compacted(9_000)).toMatchObject({ compacted: true, rung: 'cold' })
    const refused = await compacted(13_000)
    expect(refused).toMatchObject({ outcome: 'skipped', skip: 'outgrown' })
    expect(refused.reason).toMatch(
      /^With the messages that came meanwhile the context has [\d,]+ tokens, more than the limit of 13,600$/,
    )
  })
})
