import { describe, expect, it } from 'vitest'
import { busyReason, type Outcome, outcomeLines, outcomeText } from '../../../src/engine/report/outcome.ts'

const tokens = { tokensBefore: 15_209, tokensAfter: 6_405 }
const TOKENS = '  Tokens: 15209 → 6405 (saved 8804)'

describe('the outcome of a compaction', () => {
  it.each<[string, Outcome, string[], string]>([
    [
      'a summary',
      { outcome: 'compacted', rung: 'cold', messagesRemoved: 1_234, ...tokens },
      ['✓ Compacted 1234 messages', TOKENS],
      'Conversation compacted: 1,234 messages → summary',
    ],
    [
      'a digest of one message',
      { outcome: 'compacted', rung: 'digest', messagesRemoved: 1, ...tokens },
      ['✓ Compacted 1 message', TOKENS],
      'Conversation compacted: 1 message → summary',
    ],
    [
      'a digest if no summary was taken',
      { outcome: 'compacted', rung: 'digest', messagesRemoved: 2, refusal: 'the model repeats itself', ...tokens },
      ['✓ Compacted 2 messages', TOKENS, '  No summary by a model: the model repeats itself'],
      'Conversation compacted: 2 messages → summary',
    ],
    [
      'a summary that is longer than the messages that it replaces',
      { outcome: 'compacted', rung: 'cold', messagesRemoved: 2, tokensBefore: 300, tokensAfter: 2_784 },
      ['✓ Compacted 2 messages', '  Tokens: 300 → 2784 (the context grew by 2484)'],
      'Conversation compacted: 2 messages → summary, the context grew by 2,484 tokens',
    ],
    [
      'a mask',
      { outcome: 'compacted', rung: 'mask', messagesRemoved: 0, ...tokens },
      ['✓ Masked old tool output', TOKENS],
      'Masked old tool output',
    ],
    [
      'a squeeze',
      { outcome: 'compacted', rung: 'squeeze', messagesRemoved: 0, ...tokens },
      ['✓ Shortened the largest messages', TOKENS],
      'Shortened the largest messages',
    ],
    [
      'a skip',
      { outcome: 'skipped', reason: 'Not enough messages to compact' },
      ['No compaction needed: Not enough messages to compact'],
      'No compaction needed: Not enough messages to compact',
    ],
    [
      'a skip if nothing could be taken out',
      {
        outcome: 'skipped',
        skip: 'floor-too-large',
        reason: 'The parts that cannot be compacted leave no room in the window',
      },
      ['Not compacted: The parts that cannot be compacted leave no room in the window'],
      'Not compacted: The parts that cannot be compacted leave no room in the window',
    ],
    [
      'a skip because of calls without results',
      { outcome: 'skipped', skip: 'pending-tool-calls', reason: 'Tool calls are pending' },
      ['Not compacted yet: Tool calls are pending. It can be tried when they have ended'],
      'Not compacted yet: Tool calls are pending. It can be tried when they have ended',
    ],
    [
      'a failure',
      { outcome: 'failed', reason: 'no answer' },
      ['Compaction failed: no answer'],
      'Compaction failed: no answer',
    ],
    ['a cancellation', { outcome: 'cancelled' }, ['Compaction cancelled.'], 'Compaction cancelled.'],
    [
      'a session that is busy',
      { outcome: 'busy', reason: busyReason('a turn') },
      ['Not compacted: a turn is at work in the session'],
      'Not compacted: a turn is at work in the session',
    ],
    [
      'a refusal by a hook',
      { outcome: 'refused', reason: 'not on Fridays' },
      ['Compaction refused by the hook: not on Fridays'],
      'Compaction refused by the hook: not on Fridays',
    ],
  ])('of %s has one meaning in the lines of a terminal and in the sentence over HTTP', (_, outcome, lines, text) => {
    expect(outcomeLines(outcome)).toEqual(lines)
    expect(outcomeText(outcome)).toBe(text)
  })

  it('without a model says how to get one', () => {
    expect(outcomeText({ outcome: 'no-model' })).toBe('LLM client not initialized. Use /model to configure.')
  })
})
