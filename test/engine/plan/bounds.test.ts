import { describe, expect, it } from 'vitest'
import { aimWithin, boundsOf, excessOf, tightBounds } from '../../../src/engine/plan/bounds.ts'

const budget = { target: 10_000, limit: 15_000, ceiling: 18_000 }
const bounds = (unreadTokens: number, more: Partial<Parameters<typeof boundsOf>[0]> = {}) =>
  boundsOf({ budget, fixedTokens: 1_000, recordTokens: 1_400, wordTokens: 600, stepTokens: 0, unreadTokens, ...more })

describe('the bounds to try', () => {
  it('begin with the target, and end at the ceiling', () => {
    expect(bounds(0).map(({ target, limit }) => [target, limit])).toEqual([
      [10_000, 15_000],
      [15_000, 15_000],
      [10_000, 18_000],
      [18_000, 18_000],
    ])
  })

  it('leave the unread whole if the rest can give way', () => {
    expect(bounds(3_000)[0]).toEqual({ target: 10_000, limit: 15_000, unread: 3_000 })
    expect(bounds(12_000)[0]).toEqual({ target: 3_000, limit: 15_000, unread: 12_000 })
  })

  it('squeeze the unread if it does not fit beside a small record and the user’s words', () => {
    expect(bounds(12_999)[0]).toEqual({ target: 2_001, limit: 15_000, unread: 12_999 })
    // An eighth of what the fixed parts leave, and the fixed parts.
    expect(bounds(13_001)[0]).toEqual({ target: 2_875, limit: 15_000, unread: 12_125 })
    expect(bounds(90_000).map(({ limit }) => limit)).toEqual([15_000, 18_000])
  })

  it('leave more than an eighth for what the user said, because results go before words', () => {
    expect(bounds(90_000, { wordTokens: 4_000 })[0]).toEqual({ target: 6_275, limit: 15_000, unread: 8_725 })
  })

  it('leave the unread its shortest form before a word of the user goes, after a refusal', () => {
    const refused = { budget: { target: 15_000, limit: 15_000, user: 15_000 }, wordTokens: 13_500 }
    expect(bounds(3_000, refused)).toEqual([
      { target: 14_900, limit: 15_000, unread: 100 },
      { target: 14_563, limit: 15_000, unread: 437 },
    ])
  })

  it('are above a target that the fixed parts exceed', () => {
    const large = { fixedTokens: 11_000, recordTokens: 11_400 }
    expect(bounds(0, large).at(0)).toEqual({ target: 15_000, limit: 15_000, unread: 0 })
    expect(bounds(2_000, large).at(0)).toEqual({ target: 13_000, limit: 15_000, unread: 2_000 })
    expect(bounds(2_000, large).at(-1)).toEqual({ target: 10_000, limit: 18_000, unread: 2_000 })
  })

  it('are above a target that has no room for what the user said beside a record', () => {
    expect(bounds(0, { wordTokens: 8_600 })[0]).toMatchObject({ target: 10_000 })
    expect(bounds(0, { wordTokens: 8_601 })[0]).toMatchObject({ target: 15_000 })
    // A large call can be shortened.
    expect(bounds(0, { stepTokens: 50_000 })[0]).toMatchObject({ target: 10_000 })
  })

  it('are infinite if no window is known', () => {
    const infinite = Number.POSITIVE_INFINITY
    expect(bounds(500, { budget: {} })).toEqual([{ target: infinite, limit: infinite, unread: 500 }])
  })
})

describe('the bounds to try before words of the user give way', () => {
  const sizes = {
    budget,
    fixedTokens: 1_000,
    recordTokens: 1_400,
    wordTokens: 600,
    stepTokens: 0,
    unreadTokens: 90_000,
  }

  it('leave the unread half of it, then only its shortest form, within the target first', () => {
    expect(tightBounds(sizes, 300)).toEqual([
      { target: 8_000, limit: 15_000, unread: 7_000 },
      { target: 10_000, limit: 15_000, unread: 300 },
      { target: 8_000, limit: 15_000, unread: 7_000 },
      { target: 14_700, limit: 15_000, unread: 300 },
    ])
  })

  it('leave out a target without room for the words, and a half that is less than the shortest form', () => {
    expect(tightBounds({ ...sizes, wordTokens: 8_601 }, 8_000)).toEqual([
      { target: 7_000, limit: 15_000, unread: 8_000 },
    ])
  })

  it('are none if nothing is unread', () => {
    expect(tightBounds({ ...sizes, unreadTokens: 0 }, 0)).toEqual([])
  })
})

it('a plan aims so low that the unread causes no next compaction at once, but no lower than half of its room', () => {
  const aim = (unread: number, trigger?: number) =>
    aimWithin({ target: 10_000, limit: 15_000, unread }, 2_000, { trigger, growth: 1_000 })
  expect(aim(3_000)).toBe(10_000)
  expect(aim(0, 14_000)).toBe(10_000)
  expect(aim(3_000, 14_000)).toBe(10_000)
  expect(aim(4_000, 14_000)).toBe(9_000)
  expect(aim(6_000, 14_000)).toBe(7_000)
  expect(aim(9_000, 14_000)).toBe(6_000)
})

it('the target compares all but the unread, the limit everything', () => {
  expect(excessOf(15_000, 5_000, budget)).toBeUndefined()
  expect(excessOf(15_000, 4_999, budget)).toEqual({ over: 'target', tokens: 10_001, most: 10_000 })
  expect(excessOf(15_001, 8_000, budget)).toEqual({ over: 'limit', tokens: 15_001, most: 15_000 })
})
