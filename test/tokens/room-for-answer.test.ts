import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roomForAnswer } from '../../src/tokens/windows.ts'

const window = fc.integer({ min: 4_000, max: 2_000_000 })

describe('the room for an answer', () => {
  it('is not nearly all of the window if the longest answer is not known', () => {
    fc.assert(
      fc.property(window, fc.double({ min: 0, max: 1, noNaN: true }), (contextWindow, share) => {
        const room = roomForAnswer({ contextWindow }, contextWindow * share) ?? 0
        expect(room).toBeLessThanOrEqual(Math.max(1_024, Math.min(32_000, contextWindow / 4)))
      }),
    )
  })

  it('leaves space for a request that the provider counts seven percent higher, as long as there is some', () => {
    fc.assert(
      fc.property(window, fc.double({ min: 0, max: 1, noNaN: true }), (contextWindow, share) => {
        const tokens = Math.floor(contextWindow * share)
        const room = roomForAnswer({ contextWindow, maxOutput: contextWindow }, tokens) ?? 0
        fc.pre(room > 1_024)
        expect(tokens * 1.07 + room).toBeLessThanOrEqual(contextWindow)
      }),
    )
  })

  it('is at most the longest answer of the model, and never nothing', () => {
    expect(roomForAnswer({ contextWindow: 200_000, maxOutput: 8_192 }, 10_000)).toBe(8_192)
    expect(roomForAnswer({ contextWindow: 200_000, maxOutput: 8_192 }, 199_999)).toBe(1_024)
    expect(roomForAnswer({ contextWindow: 500 }, 10)).toBe(500)
  })

  it('is the provider’s to choose if nothing is known', () => {
    expect(roomForAnswer({}, 10_000)).toBeUndefined()
    expect(roomForAnswer({ maxOutput: 4_096 }, 10_000)).toBe(4_096)
  })
})
