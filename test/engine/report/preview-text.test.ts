import { describe, expect, it } from 'vitest'
import { previewLines, previewText } from '../../../src/engine/report/outcome.ts'

describe('the preview of a compaction', () => {
  it('says what a summary would replace, what would stay, and the price', () => {
    const preview = { kind: 'compact', tokens: 7_500, messages: 1_234, spanTokens: 6_148, keptMessages: 1 } as const
    expect(previewLines({ ...preview, estimatedCost: 0.05 })).toEqual([
      'A summary would replace 1,234 messages (6,148 of 7,500 tokens).',
      '1 message would stay.',
      'It would cost $0.05 at most.',
    ])
    expect(previewLines(preview)).toHaveLength(2)
  })

  it('says when only single items would be shortened', () => {
    expect(previewText({ kind: 'compact', messages: 0 })).toBe('The largest messages would be shortened')
  })

  it('says why nothing would happen', () => {
    expect(previewLines({ kind: 'keep', reason: 'Nothing to compact' })).toEqual([
      'Nothing would be compacted: Nothing to compact.',
    ])
  })
})
