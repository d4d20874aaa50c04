import { expect, it } from 'vitest'
import { keepText, skipText } from '../../../src/engine/report/skip.ts'

it('a reason is told in words, with what is to blame where something is', () => {
  expect(skipText('not-grown')).toBe('The context has hardly grown since the last compaction')
  expect(keepText({ reason: 'empty' })).toBe('Nothing to compact')
  expect(keepText({ reason: 'floor-too-large', largest: 'the memory' })).toBe(
    'What cannot be compacted leaves no room in the window; the largest part is the memory',
  )
})
