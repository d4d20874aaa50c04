import { expect, it } from 'vitest'
import { overText } from '../../../src/engine/report/change-text.ts'

it('the sentence says which bound is exceeded and what was compared', () => {
  expect(overText({ over: 'limit', tokens: 9_100, most: 9_000 })).toBe('has 9,100 tokens, more than the limit of 9,000')
  expect(overText({ over: 'target', tokens: 9_100, most: 9_000 })).toBe(
    'has 9,100 tokens without the unread ones, more than the target of 9,000',
  )
})
