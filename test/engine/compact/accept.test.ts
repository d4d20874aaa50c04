import { describe, expect, it } from 'vitest'
import { acceptAnswer, acceptContext, type ContextCandidate } from '../../../src/engine/compact/accept.ts'
import type { SummaryAnswer } from '../../../src/engine/compact/call-model.ts'
import { call, turns, user } from '../../support/messages.ts'

describe('an answer', () => {
  const answered = (text: string, more: Partial<SummaryAnswer> = {}) => acceptAnswer({ text, finish: 'stop', ...more })

  it('that is a summary is taken without its analysis', () => {
    expect(answered('<analysis>hm</analysis>\n## Goal\nTo get on.')).toEqual({
      ok: true,
      summary: '## Goal\nTo get on.',
    })
  })

  it.each<[string, Partial<SummaryAnswer>, string, string]>([
    ['a failure', { error: 'overloaded' }, 'failed', 'overloaded'],
    ['a call', { calledTool: 'bash' }, 'called-a-tool', 'the model called the tool bash instead of summarising'],
    ['nothing', { text: ' \n' }, 'empty', 'the model returned an empty summary'],
    ['cut off', { finish: 'length' }, 'truncated', 'the summary was cut off at the output limit'],
    ['unfinished', { finish: 'other' }, 'failed', 'the model stopped before the summary was finished'],
    ['analysis', { text: '<analysis>hm</analysis>' }, 'only-analysis', 'the model returned only its analysis'],
    ['a loop', { text: 'the same line\n'.repeat(100) }, 'repetitive', 'the model repeats itself'],
  ])('that is %s is refused', (_, answer, refusal, reason) => {
    expect(answered('## Goal\nTo get on.', answer)).toEqual({ ok: false, refusal, reason })
  })

  it('repeats itself only if it is long and hardly anything in it is new', () => {
    const lines = (different: number, count: number) =>
      Array.from({ length: count }, (_, i) => `line-${i % different}-`.padEnd(60, 'x')).join('\n')
    expect(answered(lines(1, 10)).ok).toBe(true)
    expect(answered(lines(1, 19)).ok).toBe(true)
    expect(answered(lines(1, 20)).ok).toBe(false)
    expect(answered(lines(9, 100)).ok).toBe(false)
    expect(answered(lines(10, 100)).ok).toBe(true)
    expect(answered('again '.repeat(199)).ok).toBe(true)
    expect(answered('again '.repeat(200)).ok).toBe(false)
    expect(answered('\n'.repeat(2_000).concat('One line.')).ok).toBe(true)
    expect(answered(`${'\n'.repeat(2_000)}${'x'.repeat(300)}\n`.repeat(4)).ok).toBe(true)
  })
})

describe('a rebuilt context', () => {
  const rebuilt = (more: Partial<ContextCandidate>) =>
    acceptContext({
      messages: turns(1),
      tokensBefore: 2_000,
      tokensAfter: 1_000,
      unreadTokens: 0,
      mustShrink: true,
      ...more,
    })
  const bounds = (target: number, limit = 9_000) => ({ bounds: { target, limit, unread: 0 } })

  it('is taken if it is smaller and within the target', () => {
    expect(rebuilt({})).toEqual({ ok: true })
    expect(rebuilt(bounds(1_000))).toEqual({ ok: true })
    expect(rebuilt({ ...bounds(600, 1_000), unreadTokens: 400 })).toEqual({ ok: true })
    expect(rebuilt({ tokensAfter: 1_999 })).toEqual({ ok: true })
  })

  it('is refused if it is not smaller, unless it need not be', () => {
    expect(rebuilt({ tokensAfter: 2_000 })).toEqual({
      ok: false,
      refusal: 'not-smaller',
      reason: 'the summary is not smaller than what it replaces (2,000 → 2,000 tokens)',
    })
    expect(rebuilt({ tokensAfter: 2_001, mustShrink: false })).toEqual({ ok: true })
  })

  it('is refused above the target, the unread not counted, and above the limit', () => {
    const refused = (reason: string) => ({ ok: false, refusal: 'over-target', reason: `the rebuilt context ${reason}` })
    expect(rebuilt({ ...bounds(599), unreadTokens: 400 })).toEqual(
      refused('has 600 tokens besides what is unread, more than the target of 599'),
    )
    expect(rebuilt({ ...bounds(600, 999), unreadTokens: 400 })).toEqual(
      refused('has 1,000 tokens, more than the limit of 999'),
    )
  })

  it('is refused if no provider would take it', () => {
    expect(rebuilt({ messages: [user('a'), call('x'), user('b')] })).toMatchObject({
      ok: false,
      refusal: 'invalid',
      reason: expect.stringMatching(/^the rebuilt context is not valid: ./),
    })
  })
})
