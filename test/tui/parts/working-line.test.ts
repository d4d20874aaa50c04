import { describe, expect, it } from 'vitest'
import { workingLine } from '../../../src/tui/parts/status-line.ts'
import { reduce } from '../../../src/tui/state/reduce.ts'
import { START } from '../../../src/tui/state/state.ts'

const textAt = (state: Parameters<typeof workingLine>[0], now: number, width = 100) =>
  (workingLine(state, now, width) ?? []).map(([text]) => text).join('')

describe('a pause before a request is made again', () => {
  const begun = reduce(START, { type: 'turn-started' }, 0)
  const retry = { type: 'retry', attempt: 3, inMs: 12_000, reason: 'overloaded' } as const

  it('is counted down, with its reason and the number of the attempt', () => {
    const waiting = reduce(begun, retry, 0)
    expect(textAt(waiting, 100)).toContain('asked again in 12 s (attempt 3): overloaded')
    expect(textAt(waiting, 11_500)).toContain('asked again in 1 s (attempt 3): overloaded')
    expect(textAt(waiting, 13_000)).toContain('asked again (attempt 3): overloaded')
    const long = reduce(begun, { ...retry, reason: 'a reason that is longer than the line' }, 0)
    expect(textAt(long, 1_500, 60)).toMatch(
      /1s · Esc interrupts · asked again in 11 s \(attempt 3\): a reason that is longer than the line$/,
    )
  })

  it('is over as soon as something comes', () => {
    const answering = reduce(reduce(begun, retry, 0), { type: 'text', text: 'So' }, 12_100)
    expect(textAt(answering, 12_200)).not.toContain('asked again')
  })

  it('is counted down in a compaction too', () => {
    const start = { type: 'start', reason: 'manual', tokens: 5, messages: 2 } as const
    const compacting = reduce(START, { type: 'compaction', automatic: false, event: start }, 0)
    const event = { type: 'retry', inMs: 5_000, reason: 'HTTP 500' } as const
    const waiting = reduce(compacting, { type: 'compaction', automatic: false, event }, 1_000)
    expect(textAt(waiting, 4_000)).toContain('asked again in 2 s: HTTP 500')
  })
})

describe('the spinner', () => {
  it('continues to turn after the clock was set back', () => {
    const begun = reduce(START, { type: 'turn-started' }, 3_600_000)
    const frames = [0, 100, 200].map((now) => textAt(begun, now).split(' ')[0] ?? '')
    expect(new Set(frames).size).toBe(3)
    expect(frames).not.toContain('')
  })
})

describe('on a narrow screen', () => {
  const start = { type: 'start', reason: 'manual', tokens: 123_456, messages: 2 } as const
  const begun = reduce(START, { type: 'compaction', automatic: false, event: start }, 0)
  const rung = { type: 'rung', rung: 'warm', model: 'test/pith-test' } as const
  const compacting = reduce(begun, { type: 'compaction', automatic: false, event: rung }, 0)

  it('says how to stop it and how long it runs, and cuts the rest', () => {
    expect(textAt(compacting, 2_500, 80)).toMatch(/pith-test · 123,456 tokens · 2s · Esc cancels$/)
    expect(textAt(compacting, 2_500, 60)).toMatch(/pith-test · 1… · 2s · Esc cancels$/)
    expect(textAt(compacting, 2_500, 40)).toMatch(/^. Compacting\.\.\. 2s · Esc cancels$/)
    expect(textAt(compacting, 2_500, 30)).toMatch(/^. Compacting\.\.\. 2s · Esc cancels$/)
  })
})
