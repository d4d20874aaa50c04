import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { CompactEvent } from '../../../src/model/compact-result.ts'
import { type EntryDraft, type EntryOf, type Message, messagesOf, type SummaryModel } from '../../../src/model/types.ts'
import type { ProgressEvent } from '../../../src/session/events/event-types.ts'
import { onProgress } from '../../../src/session/events/session-events.ts'
import { compactSession, openSession, undo } from '../../../src/session/index.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { call, modelSaying, result, turns, user } from '../../support/messages.ts'
import { countingDeps, temporaryStore } from '../../support/store.ts'

const SUMMARY = '## Goal\nTo answer each question that was asked, one after the other, until none is left.'
const WINDOW = 16_000
const TARGET = WINDOW / 2
const said = (messages: readonly Message[]): EntryDraft[] => messages.map((message) => ({ type: 'message', message }))

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let store: Store
let id: string
const deps = countingDeps()

beforeEach(async () => {
  temporary = await temporaryStore(deps)
  store = temporary.store
  id = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
  await store.append(id, said(turns(30, 400)))
})
afterEach(() => temporary.remove())

const compacted = (more: Partial<Parameters<typeof compactSession>[2]> = {}) =>
  compactSession(store, id, { holder: 'test', model: { contextWindow: WINDOW }, ...more })

/** A model that lets something happen while it writes, a little different at each call. */
function modelDuring(happens: (call: number) => Promise<unknown>): SummaryModel & { calls: () => number } {
  let calls = 0
  return {
    name: 'test/slow',
    window: 1_000_000,
    prices: { input: 1, output: 1 },
    calls: () => calls,
    async *stream() {
      await happens(++calls)
      yield SUMMARY
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1_000_000, outputTokens: 1 } }
    },
  }
}

const attempts = async () =>
  (await store.entries(id)).entries.filter((entry): entry is EntryOf<'attempt'> => entry.type === 'attempt')

it('a name from a message that is no longer in memory is not flagged, nor is the folder of the session', async () => {
  const output = `${'nothing here. '.repeat(1_000)} src/early.ts`
  await store.append(id, said([call('1', 'bash'), result('1', output, 'bash'), ...turns(30, 400)]))
  await compacted({ summaryModels: [modelSaying(SUMMARY)] })
  await store.append(id, said(turns(30, 400)))
  const { log } = await openSession(store, id)
  expect(log.some((entry) => entry.type === 'message' && JSON.stringify(entry.message).includes('early.ts'))).toBe(
    false,
  )
  const done = await compacted({
    summaryModels: [modelSaying(`${SUMMARY} src/early.ts in /repo, src/never.ts in /other/place`)],
  })
  expect(done.compacted && done.flagged).toEqual(['src/never.ts', '/other/place'])
})

describe('a compaction while others write', () => {
  it('commits at once after what was said meanwhile when that fits', async () => {
    const model = modelDuring((call) => store.append(id, said([user(`said during call ${call}`)])))
    expect(await compacted({ summaryModels: [model] })).toMatchObject({ compacted: true })
    expect(model.calls()).toBe(1)
    expect(messagesOf((await openSession(store, id)).view)).toContainEqual(user('said during call 1'))
  })

  it('commits at once after whole turns of others that fit into the target', async () => {
    const model = modelDuring(() => store.append(id, said(turns(4, 400))))
    expect(await compacted({ summaryModels: [model] })).toMatchObject({ compacted: true, rung: 'cold' })
    expect(model.calls()).toBe(1)
  })

  it('commits at once after a call that waits for its result', async () => {
    const model = modelDuring(() => store.append(id, said([user('look'), call('late', 'read')])))
    expect(await compacted({ summaryModels: [model] })).toMatchObject({ compacted: true, rung: 'cold' })
    expect(model.calls()).toBe(1)
  })

  it('is planned again when the tail has grown beyond the target, and then covers that too', async () => {
    const grown = turns(60, 800)
    const model = modelDuring((call) => store.append(id, said(call === 1 ? grown : [user(`said during call ${call}`)])))
    const done = await compacted({ summaryModels: [model] })
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'cold' })
    expect(model.calls()).toBe(2)
    expect(done.tokensAfter).toBeLessThanOrEqual(TARGET)
    const entry = done.entries.findLast((one) => one.type === 'compaction')
    expect(entry?.type === 'compaction' && entry.upTo).toBeGreaterThan(60)
    expect(messagesOf((await openSession(store, id)).view)).toContainEqual(user('said during call 2'))
  })

  it('leaves room for writers that continue, instead of being too late each time', async () => {
    // The messages during each call fit, but not after a compaction that fills the target.
    const slow = modelDuring(() => store.append(id, said(turns(28, 800))))
    expect(await compacted({ summaryModels: [slow] })).toMatchObject({ outcome: 'compacted' })
  })

  it('is planned again when the view has changed, and what came too late is in the log with its price', async () => {
    await compacted({ summaryModels: [modelSaying(SUMMARY)] })
    await store.append(id, said(turns(30, 400)))
    const model = modelDuring(async (call) => call === 1 && (await undo(store, id)))
    const done = await compacted({ summaryModels: [model] })
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'cold' })
    expect(model.calls()).toBe(2)
    expect(await attempts()).toMatchObject([{ outcome: 'skipped', model: 'test/slow', cost: expect.closeTo(1, 2) }])
    expect(done.entries.map(({ type }) => type)).toEqual(['attempt', 'compaction'])
  })

  it('does not starve: the last try waits for no model, and those who write wait for it', async () => {
    const model = modelDuring(() => store.append(id, said(turns(60, 800))))
    const done = await compacted({ summaryModels: [model], reason: 'overflow' })
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'digest' })
    expect(model.calls()).toBe(2)
    expect(await attempts()).toHaveLength(2)
  })

  it('is made without a model when a user asked and three summaries came too late', async () => {
    const model = modelDuring(() => store.append(id, said(turns(60, 800))))
    const done = await compacted({ summaryModels: [model] })
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'digest' })
    expect(model.calls()).toBe(3)
    expect(await attempts()).toHaveLength(3)
  })

  it('commits while others write more during every try than the target has room for', async () => {
    const writing: Promise<unknown>[] = []
    // Written in the middle of each try, as by another process. Who is paused is awaited after the compaction only.
    const onEvent = (event: CompactEvent) => {
      if (event.type === 'start') writing.push(store.append(id, said(turns(60, 800))))
    }
    const done = await compacted({ onEvent })
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'digest' })
    expect(writing).toHaveLength(3)
    await Promise.all(writing)
    const { entries } = await store.entries(id)
    expect(entries.filter(({ type }) => type === 'message')).toHaveLength(60 + 3 * 120)
    expect(entries.findLast(({ type }) => type === 'compaction')?.seq).toBe(60 + 2 * 120 + 1)
  })

  it('gives up after three tries if the policy has no digest, and says why', async () => {
    const model = modelDuring(() => store.append(id, said(turns(60, 800))))
    const done = await compacted({ summaryModels: [model], policy: { rungs: ['cold'] } })
    expect(done).toMatchObject({ outcome: 'skipped', skip: 'outgrown', compacted: false })
    expect(done.reason).toMatch(/more than the target/)
    expect(model.calls()).toBe(3)
    expect(await attempts()).toHaveLength(3)
    expect(done.entries).toEqual(await attempts())
  })
})

describe('the progress of a compaction', () => {
  /** The events that followers of the session get until it ends. */
  function heard() {
    const events: ProgressEvent[] = []
    onTestFinished(onProgress(store, id, ({ event }) => events.push(event)))
    return events
  }

  it('says of each start but the first that it is made again', async () => {
    const events = heard()
    const model = modelDuring(async (call) => call === 1 && (await store.append(id, said(turns(60, 800)))))
    const own: CompactEvent[] = []
    await compacted({ summaryModels: [model], onEvent: (event) => own.push(event) })
    const starts = own.filter(({ type }) => type === 'start')
    expect(starts.map((event) => 'again' in event)).toEqual([false, true])
    expect(events).toEqual(own.map((event) => ({ type: 'compaction', session: id, event })))
  })

  it('says why it failed if it cannot even be planned, and leaves the session free', async () => {
    const events = heard()
    const redact = () => {
      throw new Error('no pattern')
    }
    await expect(compacted({ summaryModels: [modelSaying(SUMMARY)], redact: redact as never })).rejects.toThrow(
      'no pattern',
    )
    expect(events.at(-1)).toEqual({ type: 'compaction-failed', session: id, reason: 'no pattern' })
    expect(await compacted()).toMatchObject({ outcome: 'compacted' })
  })

  it('names who is at work, or why there is nothing to do, and nothing else once it is in the log', async () => {
    const events = heard()
    const lease = await store.acquireLease(id, 'the other', 60_000)
    const busy = await compacted()
    expect(events).toEqual([{ type: 'compaction-skipped', session: id, reason: busy.reason, busy: 'the other' }])
    expect(busy.messages).toHaveLength(60)
    if (lease.ok) await store.releaseLease(id, lease.token)
    expect(await compacted()).toMatchObject({ outcome: 'compacted' })
    expect(events.at(-1)).toMatchObject({ type: 'compaction' })
    const again = await compacted({ key: 'again' })
    expect(again.outcome).toBe('skipped')
    expect(events.at(-1)).toMatchObject({ type: 'compaction-skipped', reason: again.reason, skip: expect.any(String) })
  })
})

describe('the session after a compaction', () => {
  it('opens without a look at the compaction in the log, unless others have spoken meanwhile', async () => {
    await compacted({ summaryModels: [modelSaying(SUMMARY)] })
    const { revision = 0 } = (await store.session(id)) ?? {}
    expect(await store.summaries(id, revision)).toHaveLength(1)
    await store.append(id, said(turns(30, 400)))
    await compacted({ summaryModels: [modelDuring(() => store.append(id, said([user('and?')])))] })
    const moved = (await store.session(id))?.revision ?? 0
    expect(await store.summaries(id, moved)).toEqual([])
  })

  it('may be taken as the caller has it in memory', async () => {
    const open = await openSession(store, id)
    let reads = 0
    const counting: Store = {
      ...store,
      session: (...input) => {
        reads++
        return store.session(...input)
      },
    }
    const input = { holder: 'test', model: { contextWindow: WINDOW } }
    expect(await compactSession(counting, id, { ...input, open })).toMatchObject({ compacted: true })
    expect(reads).toBe(0)
  })
})

describe('the lease of a compaction', () => {
  it('is kept while its process lives, however long a model takes', async () => {
    const leaseMs = 30
    // The clock of the store moves only when the test moves it.
    let now = deps.clock()
    const slow = await openStore(temporary.path, { ids: deps.ids, clock: () => now })
    const expiry = async () => {
      const lease = await slow.acquireLease(id, 'the other', leaseMs)
      return lease.ok ? expect.fail('the lease was lost') : lease.expiresAt
    }
    const model = modelDuring(async () => {
      for (let renewals = 0; renewals < 4; renewals++) {
        const before = await expiry()
        now += leaseMs / 2
        while ((await expiry()) <= before) await new Promise((resolve) => setImmediate(resolve))
      }
    })
    store = slow
    const done = await compacted({ summaryModels: [model], leaseMs })
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'cold' })
    expect(await slow.acquireLease(id, 'the other', leaseMs)).toMatchObject({ ok: true })
    await slow.close()
  })

  it('keeps a second compaction of the same holder from the same work', async () => {
    const model = modelDuring(async () => {})
    const both = await Promise.all([
      compacted({ summaryModels: [model] }),
      compacted({ summaryModels: [modelSaying(SUMMARY)] }),
    ])
    expect(both).toMatchObject([{ compacted: true }, { compacted: false, outcome: 'busy', holder: 'test' }])
    expect(await compacted({ summaryModels: [model] })).not.toMatchObject({ outcome: 'busy' })
  })
})
