import { describe, expect, it } from 'vitest'
import { type Entry, logOf, type Message } from '../../../src/engine.ts'
import type { Usage } from '../../../src/model/types.ts'
import { measureLog } from '../../../src/study/replay/measured-log.ts'
import { replay } from '../../../src/study/replay/replay.ts'

const NEVER = { mode: 'off', suggestPercent: 0 } as const

describe('a session whose provider counted', () => {
  it('has requests as large as they were counted, reasoning without a text included', async () => {
    const inputs = [5_000, 9_100, 9_900, 20_000]
    const log = counted(inputs.map((inputTokens) => ({ inputTokens, outputTokens: 4_000 })))
    expect((await played(log)).map(({ input }) => input)).toEqual(inputs)
  })

  it('loses the reasoning of a turn if the next request is smaller by as much', async () => {
    const inputs = [5_000, 9_100, 13_200, 5_300, 5_500]
    const log = counted(inputs.map((inputTokens) => ({ inputTokens, outputTokens: 4_000 })))
    const replayed = (await played(log)).map(({ input }) => input)
    for (const [i, input] of replayed.entries()) expect(Math.abs(input - (inputs[i] ?? 0))).toBeLessThan(40)
    expect(measureLog(log).pruned.size).toBe(0)
  })

  it('keeps what its agent left out without a word: another policy would have sent it', async () => {
    const large = 'a line of some result that is left out later. '.repeat(600)
    const inputs = [5_000, 12_000, 5_500]
    const log = counted(
      inputs.map((inputTokens) => ({ inputTokens, outputTokens: 20 })),
      large,
    )
    const [, second = 0, third = 0] = (await played(log)).map(({ input }) => input)
    expect(second).toBe(12_000)
    expect(third).toBeGreaterThan(second)
    expect([...measureLog(log).pruned]).toEqual([6])
  })

  it('misses the cache where the provider did, and reads where it did', async () => {
    const reads = [1_000, 4_900, 0, 5_200]
    const log = counted(
      reads.map((cacheReadTokens, i) => ({ inputTokens: 5_000 + i * 100, outputTokens: 50, cacheReadTokens })),
    )
    const requests = await played(log)
    expect(requests.map(({ lost }) => lost)).toEqual([undefined, undefined, 'expired', undefined])
    for (const [i, { cacheRead }] of requests.entries()) expect(Math.abs(cacheRead - (reads[i] ?? 0))).toBeLessThan(40)
  })

  it('asks no model for an answer without a count, such as an error of the agent', async () => {
    const log = counted([5_000, 5_100, 5_200].map((inputTokens) => ({ inputTokens, outputTokens: 50 })))
    const silent = log.map((entry) =>
      entry.type === 'message' && entry.usage?.inputTokens === 5_100 ? { ...entry, usage: undefined } : entry,
    )
    expect(await played(silent)).toHaveLength(2)
  })

  it('has the cache of an hour if most was written for an hour', () => {
    const usage = { inputTokens: 900, outputTokens: 5, cacheWriteTokens: 800 }
    expect(measureLog(counted([usage])).cacheLifetimeMs).toBe(5 * 60_000)
    expect(measureLog(counted([{ ...usage, cacheWriteHourTokens: 800 }])).cacheLifetimeMs).toBe(60 * 60_000)
  })

  it('finds with a longer cache what had expired with its own, and the other way round', async () => {
    const log = counted(
      [4_900, 4_950, 0].map((cacheReadTokens) => ({ inputTokens: 5_000, outputTokens: 5, cacheReadTokens })),
    ).map((entry, i) => ({ ...entry, at: i < 4 ? i * 1_000 : 600_000 + i * 1_000 }))
    const lost = async (cacheLifetimeMs?: number) => (await played(log, cacheLifetimeMs)).map((request) => request.lost)
    expect(await lost()).toEqual([undefined, undefined, 'expired'])
    expect(await lost(3_600_000)).toEqual([undefined, undefined, undefined])
    expect(await lost(500)).toEqual([undefined, 'expired', 'expired'])
  })
})

async function played(log: readonly Entry[], cacheLifetimeMs?: number) {
  return (await replay(log, { policy: NEVER, cacheLifetimeMs })).requests
}

/** A question and an answer for each report; the second question is `second`. */
function counted(usages: readonly Usage[], second = 'And what does the next one say?'): Entry[] {
  const messages = usages.flatMap((_, i): Message[] => [
    { role: 'user', content: i === 1 ? second : `What does file ${i} say about it?` },
    { role: 'assistant', content: `File ${i} says what it said before.` },
  ])
  return logOf(messages).map((entry, i) =>
    entry.type === 'message' && i % 2 === 1 ? { ...entry, usage: usages[(i - 1) / 2] } : entry,
  )
}
