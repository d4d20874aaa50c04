import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { believedWindow as believed, type RefusedRequest } from '../../src/tokens/windows.ts'

/** The smallest request with the user's words has a tenth less than a small one, unless a case says otherwise. */
const believedWindow = (refused: Omit<RefusedRequest, 'leastTokens'> & { leastTokens?: number }) =>
  believed({ leastTokens: refused.wordTokens * 0.9, ...refused })

/** The rest is the room for a short answer. */
const MOST_OF_WINDOW = 15 / 16

describe('the window to believe in after a refusal', () => {
  it('is the one that the provider names', () => {
    const refused = { sentTokens: 90_000, wordTokens: 3_000 }
    expect(believedWindow({ ...refused, window: 200_000, limit: 16_384 })).toBe(16_384)
    expect(believedWindow({ ...refused, limit: 16_384, tokens: 95_000 })).toBe(16_384)
  })

  it('is smaller by as much as the provider counts more, if it names the window that is known', () => {
    const refused = { window: 16_000, sentTokens: 15_000, wordTokens: 3_000 }
    expect(believedWindow({ ...refused, limit: 16_000, tokens: 20_000 })).toBe(12_000)
    // A little more is a little less: what the record and the last results need is not thrown away for it.
    expect(believedWindow({ ...refused, limit: 16_000, tokens: 16_160 })).toBe(14_851)
  })

  it('stays if the provider speaks of another request', () => {
    const refused = { window: 50_000, sentTokens: 3_000, wordTokens: 2_000 }
    expect(believedWindow({ ...refused, limit: 200_000, tokens: 213_000 })).toBe(50_000)
  })

  it('is half of what was believed if no size is named', () => {
    expect(believedWindow({ window: 32_000, sentTokens: 30_000, wordTokens: 3_000 })).toBe(16_000)
  })

  it('is somewhat smaller than the request if half would cut the words of the user', () => {
    expect(believedWindow({ window: 8_000, sentTokens: 7_000, wordTokens: 6_800 })).toBe(6_720)
  })

  it('is somewhat smaller than the request if none was known', () => {
    expect(believedWindow({ sentTokens: 20_000, wordTokens: 3_000 })).toBe(18_000)
  })

  it('is not a guess below the largest request that was answered', () => {
    const refused = { sentTokens: 20_000, wordTokens: 3_000, answeredTokens: 19_000 }
    expect(believedWindow({ ...refused, window: 32_000 })).toBe(19_000)
    expect(believedWindow(refused)).toBe(19_000)
    expect(believedWindow({ ...refused, window: 32_000, answeredTokens: 150_000 })).toBe(32_000)
    expect(believedWindow({ ...refused, window: 32_000, limit: 8_000 })).toBe(8_000)
  })

  it('has room for the words of the user, if a request with them can be smaller at all', () => {
    const refused = { window: 8_000, sentTokens: 7_000, wordTokens: 7_400 }
    expect(believedWindow({ ...refused, leastTokens: 6_600 }) * MOST_OF_WINDOW).toBeCloseTo(6_600, -1)
    expect(believedWindow({ ...refused, leastTokens: 6_900 }) * MOST_OF_WINDOW).toBeCloseTo(6_300, -1)
  })

  it('lets out only requests that are smaller than the refused one, from 4,000 to 2,000,000 tokens', () => {
    const tokens = fc.integer({ min: 4_000, max: 2_000_000 })
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (window, sentTokens, wordTokens, leastTokens) => {
        const most = believedWindow({ window, sentTokens, wordTokens, leastTokens })
        expect(most * MOST_OF_WINDOW).toBeLessThan(sentTokens)
        // Only the user's words raise it above the request.
        if (leastTokens > sentTokens || leastTokens < sentTokens / 2) expect(most).toBeLessThan(sentTokens)
      }),
    )
  })
})
