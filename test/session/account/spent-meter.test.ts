import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { SpentMeter } from '../../../src/session/account/spent-meter.ts'
import type { BadRow, Store } from '../../../src/store/store.ts'
import { compaction } from '../../store/contract/drafts.ts'
import { assistant, user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

const registry = registryOf([{ provider: 'test', model: 'm', prices: { input: 1, output: 10 } }])
const usage = { inputTokens: 1_000_000, outputTokens: 100_000 }
/** A call of two dollars. */
const answer: EntryDraft = { type: 'message', message: assistant('done'), usage, model: 'test/m' }
const attempt: EntryDraft = { type: 'attempt', outcome: 'failed', reason: 'no answer', cost: 0.5 }

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let id: string

beforeEach(async () => {
  temporary = await temporaryStore()
  id = (await temporary.store.createSession({ owner: 'ann', workspace: '/repo' })).id
})
afterEach(() => temporary.remove())

async function append(...drafts: readonly EntryDraft[]) {
  const appended = await temporary.store.append(id, drafts)
  return appended.ok ? appended.entries : expect.fail('nothing was appended')
}

describe('what a session has cost', () => {
  it('counts every entry once, however often it is read and reported', async () => {
    const meter = new SpentMeter(registry)
    await append({ type: 'message', message: user('go') }, answer)
    await meter.read(temporary.store, id)
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ calls: 1, cost: 2, inputTokens: 1_000_000, outputTokens: 100_000 })
    for (const entry of await append(answer, attempt)) {
      meter.add(entry)
      meter.add(entry)
    }
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ calls: 2, cost: 4.5, compactions: 0, compactionCost: 0.5 })
  })

  it('leaves an entry that comes before the log is read to the reading', async () => {
    const meter = new SpentMeter(registry)
    for (const entry of await append(answer, answer)) meter.add(entry)
    expect(meter.report.calls).toBe(0)
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ calls: 2, cost: 4 })
  })

  it('reads a log of many pages, to its last entry', async () => {
    const meter = new SpentMeter(registry)
    await append(...Array.from({ length: 100 }, () => answer))
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ calls: 100, cost: 200 })
  })

  it("is shown for each turn of the user; a program's text in the user’s role begins none", async () => {
    const meter = new SpentMeter(registry)
    const asked = (text: string): EntryDraft => ({ type: 'message', message: user(text) })
    await append(asked('go'), answer, asked('<system-reminder>be brief</system-reminder>'), answer, asked('and?'), {
      ...answer,
      model: 'test/other',
    })
    await meter.read(temporary.store, id)
    expect(meter.turns(10)).toEqual([
      { seq: 1, calls: 2, inputTokens: 2_000_000, outputTokens: 200_000, cost: 4 },
      { seq: 5, calls: 1, inputTokens: 1_000_000, outputTokens: 100_000 },
    ])
    expect(meter.turns(1).map(({ seq }) => seq)).toEqual([5])
    expect(meter.turns(0)).toEqual([])
  })

  it('is not known for a model whose name says no provider', async () => {
    const meter = new SpentMeter(registry)
    await append(answer, { ...answer, model: 'unknown' })
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ calls: 2, cost: undefined })
  })

  it('of a turn is not known, rather than nothing, if no answer has a count', async () => {
    const meter = new SpentMeter(registry)
    await append({ type: 'message', message: user('go') })
    await meter.read(temporary.store, id)
    expect(meter.turns(1)).toMatchObject([{ seq: 1, calls: 0, cost: 0 }])
    await append({ type: 'message', message: assistant('done') })
    await meter.read(temporary.store, id)
    expect(meter.turns(1)[0]).not.toHaveProperty('cost')
  })

  it('is not known when the price of one call is not', async () => {
    const meter = new SpentMeter(registry)
    await append(answer, { ...answer, model: 'test/other' })
    await meter.read(temporary.store, id)
    expect(meter.report.calls).toBe(2)
    expect(meter.report.cost).toBeUndefined()
    expect(meter.report.knownCost).toBe(2)
  })

  it('has the tokens that were read from a cache, and calls whose answer was thrown away', async () => {
    const meter = new SpentMeter(registry)
    const cached = { ...usage, cacheReadTokens: 300_000 }
    await append({ ...answer, usage: cached }, answer, {
      type: 'void',
      reason: 'empty',
      model: 'test/m',
      usage: cached,
    })
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ calls: 3, inputTokens: 3_000_000, cacheReadTokens: 600_000, compactions: 0 })
  })

  it('counts compactions; one that asked no model costs nothing, and one whose price is not known makes the sum unknown', async () => {
    const meter = new SpentMeter(registry)
    await append(answer, compaction({ rung: 'digest' }))
    await meter.read(temporary.store, id)
    expect(meter.report).toEqual({
      ...{ calls: 1, inputTokens: 1_000_000, cacheReadTokens: 0, outputTokens: 100_000 },
      ...{ compactions: 1, cost: 2, knownCost: 2, compactionCost: 0 },
    })
    await append(compaction({ usage, cost: 0.5 }))
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ calls: 1, compactions: 2, cost: 2.5, compactionCost: 0.5 })
    await append(compaction())
    await meter.read(temporary.store, id)
    expect(meter.report).toMatchObject({ compactions: 3, cost: undefined, compactionCost: undefined })
  })

  it('has a turn for what was said before the user asked anything, and a cost for a turn of one answer with a count', async () => {
    const meter = new SpentMeter(registry)
    await append({ type: 'message', message: assistant('Hello') }, answer, { type: 'message', message: user('go') })
    await meter.read(temporary.store, id)
    expect(meter.turns(2)).toEqual([
      { seq: 1, calls: 1, inputTokens: 1_000_000, outputTokens: 100_000, cost: 2 },
      { seq: 3, calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
    ])
  })

  it('is read on after a page of rows that cannot be read', async () => {
    const meter = new SpentMeter(registry)
    const entries = await append(...Array.from({ length: 60 }, () => answer))
    const { store } = temporary
    const broken: Store = {
      ...store,
      entries: async (session, query) => {
        const page = await store.entries(session, query)
        const isBad = ({ seq }: Entry) => seq <= 50
        const bad = page.entries.filter(isBad).map(({ seq, id }): BadRow => ({ seq, id, reason: 'broken' }))
        return { entries: page.entries.filter((entry) => !isBad(entry)), bad }
      },
    }
    await meter.read(broken, id)
    expect(meter.report.calls).toBe(entries.length - 50)
  })
})
