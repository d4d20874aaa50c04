import { expect, it } from 'vitest'
import { contextSize } from '../../../web/text/compaction-cost.ts'

it('the size of a context has its tokens, even if the window is not known', () => {
  expect(contextSize({ tokens: 12_785, percent: 62.43 })).toBe('12,785 tokens, 62.43%')
  expect(contextSize({ tokens: 12_785 })).toBe('12,785 tokens')
})
