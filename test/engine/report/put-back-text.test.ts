import { expect, it } from 'vitest'
import { notBackText, putBackText } from '../../../src/engine/report/change-text.ts'

it('a message that came back is named with its size and what came with it', () => {
  expect(putBackText({ seq: 12, messages: 1, tokens: 1_234 })).toBe('#12 is back word for word and stays: 1,234 tokens')
  expect(putBackText({ seq: 12, messages: 2, tokens: 5 })).toBe(
    '#12 with what belongs to it (2 messages) is back word for word and stays: 5 tokens',
  )
})

it('one that does not fit says by how much', () => {
  expect(notBackText(12, { over: 'limit', tokens: 130_000, most: 120_000 })).toBe(
    '#12 does not fit: the context would have 130,000 tokens, and 120,000 is the most',
  )
  expect(notBackText(12, { over: 'target', tokens: 30_000, most: 24_000 })).toBe(
    '#12 does not fit with the parts that always stay: together they have 30,000 tokens, and a compaction aims at 24,000',
  )
})
