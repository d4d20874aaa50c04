import { describe, expect, it } from 'vitest'
import { type Entry, logOf, type Message, nextEntry, replayRecorded } from '../../../src/engine.ts'

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const MODEL = { provider: 'p', model: 'm', contextWindow: 200_000, prices: PRICES }

describe('a session replayed as it was recorded', () => {
  it('comes to what its provider counted', () => {
    const { requests, fidelity } = replayRecorded(recorded([5_000, 8_000, 30_000, 31_000]), { model: MODEL })
    expect(requests.map(({ input }) => input)).toEqual([5_000, 8_000, 30_000, 31_000])
    expect(fidelity).toMatchObject({ requests: 4, inputTokens: 1 })
    expect(fidelity?.inputCost).toBeCloseTo(1, 2)
  })

  it('follows the compactions of its agent, charges them, and counts what the agent put beside the summary', () => {
    const log = recorded([5_000, 30_000])
    const compaction = nextEntry(log, {
      type: 'compaction',
      from: 1,
      upTo: log.length,
      keep: [],
      summary: 'All was read.',
      frame: 'keen',
      indexDelta: {},
      messages: log.length,
      reason: 'threshold',
      rung: 'cold',
      tokensBefore: 30_000,
      tokensAfter: 0,
    })
    const all = [...log, compaction, ...recorded([12_000, 12_400], compaction.seq)]
    const { requests, fidelity, summaryCost = 0, cost = 0 } = replayRecorded(all, { model: MODEL })
    expect(requests.map(({ input }) => input)).toEqual([5_000, 30_000, 12_000, 12_400])
    expect(requests[2]).toMatchObject({ lost: 'broken', compacted: { rung: 'cold' } })
    expect(summaryCost).toBeGreaterThan(0)
    expect(cost).toBeGreaterThan(summaryCost)
    expect(fidelity?.inputTokens).toBe(1)
  })

  it('takes an answer whose count had only begun for as long as it is', () => {
    const [request] = replayRecorded(recorded([5_000]), { model: MODEL }).requests
    expect(request?.output).toBeGreaterThan(5)
  })

  it('says nothing about the report with a cache that lasts another time', () => {
    const { fidelity } = replayRecorded(recorded([5_000, 8_000]), { model: MODEL, cacheLifetimeMs: 3_600_000 })
    expect(fidelity).toBeUndefined()
  })
})

/** Answers with these counts of input, all but the last request in the cache. */
function recorded(inputs: readonly number[], after = 0): Entry[] {
  const messages = inputs.flatMap((_, i): Message[] => [
    { role: 'user', content: `What does file ${i} say about it?` },
    { role: 'assistant', content: `File ${i} says what it said before, and nothing else.` },
  ])
  return logOf(messages).map((entry, i) => {
    const seq = entry.seq + after
    const inputTokens = inputs[(i - 1) / 2] ?? 0
    const cacheReadTokens = inputs[(i - 3) / 2] ?? 0
    const usage = { inputTokens, outputTokens: 1, cacheReadTokens, cacheWriteTokens: inputTokens - cacheReadTokens }
    return { ...entry, id: `e${seq}`, seq, ...(i % 2 === 1 ? { usage } : {}) } as Entry
  })
}
