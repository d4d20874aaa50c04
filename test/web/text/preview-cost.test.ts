import { describe, expect, it } from 'vitest'
import { previewCost } from '../../../web/text/compaction-cost.ts'

describe('the cost of a compaction before it runs', () => {
  it('is shown as a summary from the log if no model can be used, not as free', () => {
    expect(previewCost(0, 'no key for anthropic: set ANTHROPIC_API_KEY')).toBe(
      'a summary from the log, without a model',
    )
  })

  it('is the most that the model may cost, also of a model that costs nothing', () => {
    expect(previewCost(0.5, undefined)).toBe('at most $0.50')
    expect(previewCost(0, undefined)).toBe('at most $0.00')
    // The session has no model, but the policy names one for summaries.
    expect(previewCost(0.5, 'no key for anthropic')).toBe('at most $0.50')
    expect(previewCost(undefined, undefined)).toBeUndefined()
  })
})
