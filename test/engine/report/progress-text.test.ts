import { expect, it } from 'vitest'
import { chunkText, retryText, rungText } from '../../../src/engine/report/progress-text.ts'

it('a rung is described by what it does, and by the model without its provider', () => {
  expect(rungText('mask')).toBe('masking old tool output')
  expect(rungText('digest')).toBe('digest without a model')
  expect(rungText('squeeze')).toBe('shortening the largest messages')
  expect(rungText('cold', 'acme/large/2')).toBe('summary by large/2')
  expect(rungText('warm', 'large')).toBe('summary by large')
})

it('a chunk is shown only if there are several', () => {
  expect([chunkText(1, 1), chunkText(1, 2), chunkText(2, 5)]).toEqual(['', 'chunk 1 of 2', 'chunk 2 of 5'])
})

it('a retry is shown in whole seconds, rounded up', () => {
  expect(retryText({ inMs: 1_001, reason: 'overloaded' })).toBe('asked again in 2 s: overloaded')
})
