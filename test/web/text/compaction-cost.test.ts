import { describe, expect, it } from 'vitest'
import { compactionCost } from '../../../web/text/compaction-cost.ts'

describe('the cost of a compaction', () => {
  it('is nothing where no model was asked, and not known where one was whose price is not', () => {
    expect(compactionCost({ rung: 'digest' })).toBe(0)
    expect(compactionCost({ rung: 'cold' })).toBeUndefined()
    expect(compactionCost({ rung: 'digest', refusal: 'the summary is empty' })).toBeUndefined()
    expect(compactionCost({ rung: 'digest', refusal: 'the summary is empty', cost: 0.02 })).toBe(0.02)
  })
})
