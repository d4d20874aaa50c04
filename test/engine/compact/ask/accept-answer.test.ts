import { describe, expect, it } from 'vitest'
import { acceptAnswer } from '../../../../src/engine/compact/ask/accept-summary.ts'
import type { SummaryAnswer } from '../../../../src/engine/compact/ask/call-model.ts'

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
