import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareBudget } from '../../../../src/engine/record/digest/render-within.ts'

describe('a budget that is shared', () => {
  it('is enough for all if all fit', () => {
    expect(
      shareBudget(
        [
          { cost: 10, share: 1 },
          { cost: 90, share: 1 },
        ],
        100,
      ),
    ).toEqual([10, 90])
  })

  it('gives each its share, and what one leaves to the others in their order', () => {
    expect(
      shareBudget(
        [
          { cost: 1_000, share: 30 },
          { cost: 1_000, share: 10 },
          { cost: 5, share: 60 },
        ],
        100,
      ),
    ).toEqual([85, 10, 5])
  })

  it('never gives more than there is, nor more than a claim costs, nor leaves any while somebody needs it', () => {
    const claims = fc.array(fc.record({ cost: fc.nat({ max: 500 }), share: fc.nat({ max: 50 }) }), { maxLength: 9 })
    fc.assert(
      fc.property(claims, fc.nat({ max: 2_000 }), (all, room) => {
        const given = shareBudget(all, room)
        const sum = given.reduce((total, tokens) => total + tokens, 0)
        const costs = all.reduce((total, { cost }) => total + cost, 0)
        expect(sum).toBe(Math.min(room, costs))
        for (const [i, { cost }] of all.entries()) {
          expect(given[i]).toBeGreaterThanOrEqual(0)
          expect(given[i]).toBeLessThanOrEqual(cost)
        }
      }),
    )
  })
})
