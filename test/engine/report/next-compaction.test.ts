import { describe, expect, it } from 'vitest'
import { nextCompaction, preparedText } from '../../../src/engine/report/skip.ts'

const budget = { trigger: 80_000, coldTrigger: 50_000 }
const runs = () => undefined
const neverAsked = () => {
  throw new Error('asked for a plan though none is due')
}

describe('the next compaction', () => {
  it('comes at the trigger, or earlier after a pause', () => {
    expect(nextCompaction({ mode: 'auto', budget, tokens: 30_000, readTokens: 30_000, whySkipped: neverAsked })).toBe(
      'The next automatic compaction comes at 80,000 tokens, 50,000 from now, or at 50,000 after a pause',
    )
    expect(
      nextCompaction({
        mode: 'auto',
        budget: { trigger: 80_000 },
        tokens: 79_999,
        readTokens: 79_999,
        whySkipped: neverAsked,
      }),
    ).toBe('The next automatic compaction comes at 80,000 tokens, 1 from now')
  })

  it('comes at an end of work, if the policy waits for one, and at the latest at the trigger', () => {
    const next = (readTokens: number, mode: 'auto' | 'ask' = 'auto') =>
      nextCompaction({
        mode,
        budget: { trigger: 80_000, endOfWorkTrigger: 60_000 },
        tokens: readTokens,
        readTokens,
        whySkipped: runs,
      })
    expect(next(30_000)).toBe(
      'The next automatic compaction comes at an end of work from 60,000 tokens on, at the latest at 80,000 tokens',
    )
    expect(next(60_000)).toBe('The next automatic compaction comes at an end of work, at the latest at 80,000 tokens')
    expect(next(80_000)).toBe('The next automatic compaction comes with the next message')
    expect(next(60_000, 'ask')).toContain('comes at 80,000 tokens')
  })

  it('in mode ask asks first, and comes no earlier after a pause', () => {
    expect(nextCompaction({ mode: 'ask', budget, tokens: 30_000, readTokens: 30_000, whySkipped: neverAsked })).toBe(
      'The next automatic compaction comes at 80,000 tokens, 50,000 from now, and you are asked first',
    )
    expect(nextCompaction({ mode: 'ask', budget, tokens: 80_000, readTokens: 80_000, whySkipped: runs })).toBe(
      'The next automatic compaction comes with the next message, and you are asked first',
    )
  })

  it('that is due comes with the next message, or says why it does not', () => {
    expect(nextCompaction({ mode: 'auto', budget, tokens: 80_000, readTokens: 80_000, whySkipped: runs })).toBe(
      'The next automatic compaction comes with the next message',
    )
    expect(
      nextCompaction({
        mode: 'auto',
        budget,
        tokens: 90_000,
        readTokens: 90_000,
        whySkipped: () => 'Tool calls are pending',
      }),
    ).toBe('No automatic compaction yet, though it is due at 80,000 tokens: Tool calls are pending')
  })

  it('does not come without a window, nor when it is off', () => {
    expect(nextCompaction({ mode: 'auto', budget: {}, tokens: 1, readTokens: 1, whySkipped: neverAsked })).toBe(
      'No automatic compaction: the window of the model is not known',
    )
    expect(nextCompaction({ mode: 'off', budget, tokens: 1, readTokens: 1, whySkipped: neverAsked })).toBe(
      'Automatic compaction is off: you can compact by hand',
    )
  })

  it('is as far away as the whole context is from the trigger, though what is unread counts only later', () => {
    const next = (tokens: number) =>
      nextCompaction({ mode: 'auto', budget: { trigger: 15_360 }, tokens, readTokens: 9_165, whySkipped: neverAsked })
    expect(next(9_242)).toBe('The next automatic compaction comes at 15,360 tokens, 6,118 from now')
    expect(next(16_000)).toBe(
      'The next automatic compaction comes at 15,360 tokens, once the model has read the new messages',
    )
  })
})

it('says what is prepared: a summary from the log for nothing, one by a model only if the user wants to pay for it', () => {
  const policy = { mode: 'auto', rungs: ['cold', 'digest'], preparePercent: 0 } as const
  const said = (more: object) => preparedText({ ...policy, rungs: [...policy.rungs], ...more })
  expect(said({})).toContain('A summary from the log is prepared; one by a model is not (prepare_percent)')
  expect(said({ preparePercent: 80 })).toContain('from 80 % of that on one by a model, which costs money')
  expect(said({ mode: 'ask' })).toBe('')
  expect(said({ rungs: ['cold'] })).toBe('')
  const at = { budget, tokens: 30_000, readTokens: 30_000, whySkipped: neverAsked }
  expect(nextCompaction({ mode: 'auto', prepared: '. Prepared', ...at })).toMatch(/50,000 from now.*\. Prepared$/)
})
