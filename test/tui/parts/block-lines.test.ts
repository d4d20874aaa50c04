import { describe, expect, it } from 'vitest'
import { appended } from '../../../src/engine/view/log.ts'
import { blockLines } from '../../../src/tui/parts/block-lines.ts'
import { NO_LIMIT } from '../../../src/tui/parts/frame-budget.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'
import { blocksOf } from '../../../src/tui/state/apply-entry.ts'

const look = { width: 80, theme: themeOf('none'), unfolded: false, budget: NO_LIMIT }

describe('the transcript', () => {
  it('says of a mask that old tool output was masked, and not that messages were compacted', () => {
    const log = appended([], [{ type: 'mask', targets: [2, 4], tokensBefore: 5_000, tokensAfter: 1_200 }])
    expect(blocksOf([...log]).flatMap((block) => blockLines(block, look))).toEqual([
      '  Context compacted.',
      '  ✓ Masked old tool output',
      '    Tokens: 5000 → 1200 (saved 3800)',
      '    2 tool results, without a model',
    ])
  })

  it('says of a digest why no summary of a model was taken, also when the session is opened again', () => {
    const before = appended([], [{ type: 'message', message: { role: 'user', content: 'Go.' } }])
    const log = appended(before, [
      {
        type: 'compaction',
        from: 1,
        upTo: 1,
        keep: [],
        summary: 'It went.',
        frame: 'pith',
        indexTokens: 0,
        userTokens: 0,
        indexDelta: {},
        messages: 1,
        reason: 'manual',
        rung: 'digest',
        refusal: 'the answer is far too short',
        tokensBefore: 5_000,
        tokensAfter: 1_200,
      },
    ])
    const lines = blocksOf([...log]).flatMap((block) => blockLines(block, look))
    expect(lines).toContain('    No summary by a model: the answer is far too short')
  })
})
