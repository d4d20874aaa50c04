import { expect, it } from 'vitest'
import { keepText, skipText } from '../../../src/engine/report/skip.ts'
import type { SkipReason } from '../../../src/model/compact-result.ts'

it('a reason is given in words, with the part to blame if there is one', () => {
  expect(skipText('not-grown')).toBe('The context has hardly grown since the last compaction')
  expect(keepText({ reason: 'empty' })).toBe('Nothing to compact')
  expect(keepText({ reason: 'floor-too-large', largest: 'the memory' })).toBe(
    'The parts that cannot be compacted leave no room in the window; the largest part is the memory',
  )
  expect(keepText({ reason: 'floor-too-large', largest: 'the memory', largestTokens: 29_206, window: 20_000 })).toBe(
    'The parts that cannot be compacted leave no room in the window; the largest part is the memory (29,206 of 20,000 tokens)',
  )
})

/** Every reason; the compiler asks for those that are missing. */
const REASONS: Record<SkipReason, true> = {
  empty: true,
  'automatic-off': true,
  'breaker-open': true,
  'window-unknown': true,
  'under-trigger': true,
  'not-grown': true,
  'pending-tool-calls': true,
  'too-short': true,
  'no-legal-cut': true,
  'nothing-new': true,
  'nothing-to-gain': true,
  'floor-too-large': true,
}

it('each reason has a sentence that no other reason has', () => {
  const reasons = Object.keys(REASONS) as SkipReason[]
  const sentences = reasons.map(skipText)
  expect(new Set(sentences).size).toBe(reasons.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[a-z]$/)
})
