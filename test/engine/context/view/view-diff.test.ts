import { describe, expect, it } from 'vitest'
import { lastReduction } from '../../../../src/engine/context/view/view-diff.ts'
import { appended, compact, logOf, type Message } from '../../../../src/engine.ts'
import { compaction } from '../../../support/compaction.ts'

const MESSAGES = Array.from(
  { length: 40 },
  (_, i): Message =>
    i % 2 === 0
      ? { role: 'user', content: `Question ${i} ${'x'.repeat(300)}` }
      : { role: 'assistant', content: `Answer ${i}` },
)

describe('the effect of the last compaction', () => {
  it('is what left, what came and what stayed', async () => {
    const log = logOf(MESSAGES)
    const { entries, messagesRemoved, messages } = await compact({ log, model: { contextWindow: 4_000 } })
    const diff = lastReduction([...log, ...entries])
    if (diff === undefined) return expect.unreachable()
    const by = (change: string) => diff.lines.filter((line) => line.change === change)
    expect(by('removed')).toHaveLength(messagesRemoved)
    expect(by('added').map(({ item }) => item.kind)).toEqual(['summary'])
    expect(by('kept')).toHaveLength(messages.length - 1)
    expect(diff.before).toHaveLength(40)
    expect(diff.after).toHaveLength(messages.length)
  })

  it('shows the messages that were left out, and the line that came; a wish has no effect yet', () => {
    const sizes = { requestedBy: 'user' as const, tokensBefore: 2, tokensAfter: 1 }
    const out = { type: 'leave-out' as const, targets: [{ from: 3, upTo: 6, tokens: 300 }], ...sizes }
    const log = appended(logOf(MESSAGES), [out, { ...out, targets: [{ from: 9, upTo: 9, tokens: 80 }], waits: true }])
    const diff = lastReduction(log)
    expect(diff?.entry.seq).toBe(41)
    const by = (change: string) => diff?.lines.flatMap((line) => (line.change === change ? [line.item] : []))
    expect(by('removed')?.map(({ seq }) => seq)).toEqual([3, 4, 5, 6])
    expect(by('added')).toMatchObject([
      { message: { content: expect.stringMatching(/^\[#3–#6 left out by the user: /) } },
    ])
  })

  it('shows what a mask shortened', () => {
    const value = 'y'.repeat(4_000)
    const log = logOf([
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'bash', input: { command: 'ls' } }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'bash', output: { type: 'text', value } }],
      },
    ])
    const masked = appended(log, [{ type: 'mask', targets: [3], tokensBefore: 2, tokensAfter: 1 }])
    const [shortened, ...others] = lastReduction(masked)?.lines.filter(({ change }) => change !== 'kept') ?? []
    expect(shortened).toMatchObject({ change: 'shortened', item: { seq: 3 } })
    expect(others).toEqual([])
  })

  it('is shown without later messages, in the order of the view', () => {
    const log = appended(logOf(MESSAGES.slice(0, 5)), [
      compaction({ upTo: 4, keep: [2] }),
      { type: 'message', message: { role: 'user', content: 'more' } },
    ])
    const diff = lastReduction(log)
    expect(diff?.entry.seq).toBe(6)
    expect(diff?.lines.map(({ change, item }) => `${change} ${item.seq}`)).toEqual([
      'removed 1',
      'removed 3',
      'removed 4',
      'added 6',
      'kept 2',
      'kept 5',
    ])
  })

  it('is nothing before the first, and nothing after its undo', async () => {
    const log = logOf(MESSAGES)
    expect(lastReduction(log)).toBeUndefined()
    const { entries } = await compact({ log, model: { contextWindow: 4_000 } })
    const undone = appended([...log, ...entries], [{ type: 'undo', of: entries.at(-1)?.seq ?? 0 }])
    expect(lastReduction(undone)).toBeUndefined()
  })
})
