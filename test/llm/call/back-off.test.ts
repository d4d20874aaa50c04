import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pauseMs, RETRY_LIMITS } from '../../../src/llm/call/chat-model.ts'

describe('the pauses between attempts', () => {
  it('grow, and are spread over their upper half', () => {
    const pauses = (random: number) =>
      [1, 2, 3, 4].map((attempt) => pauseMs({ attempt, pausedMs: 0 }, RETRY_LIMITS, () => random))
    expect(pauses(0)).toEqual([500, 1_000, 2_000, 4_000])
    expect(pauses(1)).toEqual([1_000, 2_000, 4_000, 8_000])
  })

  it('are as long as the provider asks, never shorter', () => {
    expect(pauseMs({ attempt: 1, pausedMs: 0, retryAfterMs: 20_000 }, RETRY_LIMITS, () => 0)).toBe(20_000)
  })

  it('end after the last attempt', () => {
    expect(pauseMs({ attempt: RETRY_LIMITS.attempts, pausedMs: 0 }, RETRY_LIMITS, () => 0)).toBeUndefined()
  })

  it('never add up to more than the limit, whatever the provider asks', () => {
    const asked = fc.array(fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }), { minLength: 50 })
    fc.assert(
      fc.property(asked, fc.float({ min: 0, max: 1, noNaN: true }), (waits, random) => {
        let pausedMs = 0
        for (const [i, retryAfterMs] of waits.entries()) {
          const pause = pauseMs(
            { attempt: i + 1, pausedMs, retryAfterMs },
            { ...RETRY_LIMITS, attempts: 99 },
            () => random,
          )
          if (pause === undefined) return
          pausedMs += pause
          expect(pausedMs).toBeLessThanOrEqual(RETRY_LIMITS.totalPauseMs)
        }
      }),
    )
  })
})
