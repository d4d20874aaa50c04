import { describe, expect, it } from 'vitest'
import { compactionCost } from '../../../web/text/compaction-cost.ts'

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
