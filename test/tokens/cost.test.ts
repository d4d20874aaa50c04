import { describe, expect, it } from 'vitest'
import { compactionCost, costOf } from '../../src/tokens/cost.ts'

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const million = 1_000_000

describe('the cost of a call', () => {
  it('is what its tokens cost per million', () => {
    expect(costOf({ inputTokens: million, outputTokens: 0 }, prices)).toBe(3)
    expect(costOf({ inputTokens: 0, outputTokens: million }, prices)).toBe(15)
  })

  it('takes cache reads and writes out of the input and counts them at their own price', () => {
    const usage = { inputTokens: million, outputTokens: 0, cacheReadTokens: 600_000, cacheWriteTokens: 200_000 }
    expect(costOf(usage, prices)).toBeCloseTo(0.2 * 3 + 0.6 * 0.3 + 0.2 * 3.75, 10)
  })

  it('takes the price of other input if the cache has none', () => {
    const usage = { inputTokens: million, outputTokens: 0, cacheReadTokens: 600_000, cacheWriteTokens: 200_000 }
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(3, 10)
  })

  it('is not negative if a provider reports more cached than input tokens', () => {
    const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: million }
    expect(costOf(usage, prices)).toBeCloseTo(0.3, 10)
  })

  it('charges twice the price of input for what a cache keeps for an hour', () => {
    const usage = { inputTokens: million, outputTokens: 0, cacheWriteTokens: million, cacheWriteHourTokens: million }
    expect(costOf(usage, prices)).toBeCloseTo(6, 10)
    expect(costOf({ ...usage, cacheWriteHourTokens: 400_000 }, prices)).toBeCloseTo(2.4 + 0.6 * 3.75, 10)
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(3, 10)
  })

  it('does not count reasoning twice: the output has it', () => {
    expect(costOf({ inputTokens: 0, outputTokens: million, reasoningTokens: million }, prices)).toBe(15)
  })

  it('charges all of a request whose prompt is long by the price of long ones', () => {
    const tiered = { ...prices, long: { above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 } }
    expect(costOf({ inputTokens: 200_000, outputTokens: 1000 }, tiered)).toBeCloseTo(0.6 + 0.015, 10)
    const usage = { inputTokens: 200_001, outputTokens: 1000, cacheReadTokens: 200_000 }
    expect(costOf(usage, tiered)).toBeCloseTo(0.12 + 0.000006 + 0.0225, 10)
  })
})

describe('the cost of a compaction', () => {
  it('is nothing if no model was asked, and not known if the price of the one asked is not', () => {
    expect(compactionCost({ rung: 'digest' })).toBe(0)
    expect(compactionCost({ rung: 'cold' })).toBeUndefined()
    const refused = { rung: 'digest', refusal: 'the summary is empty', usage: { output_tokens: 0 } }
    expect(compactionCost(refused)).toBeUndefined()
    expect(compactionCost({ ...refused, cost: 0.02 })).toBe(0.02)
  })

  it('is nothing if no call was answered, or if the entry of the attempt has the price', () => {
    expect(compactionCost({ rung: 'digest', refusal: 'HTTP 500' })).toBe(0)
  })
})
