import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PolicyPatch } from '../../src/model/policy/policy.ts'
import { presetSchema } from '../../src/model/policy/policy-schema.ts'
import { policyOf } from '../../src/model/policy/presets.ts'
import { budgetOf, exceedsReserve } from '../../src/tokens/budget.ts'
import { full } from '../support/full.ts'

const budget = (patch: PolicyPatch, window?: number, fixed?: number) =>
  budgetOf(policyOf(patch), window, undefined, fixed)

describe('the budget of the default policy', () => {
  it('on a large window triggers when 130,000 tokens were said, and goes down to 48,000', () => {
    expect(budget({}, 200_000)).toMatchObject({ window: 200_000, trigger: 130_000, target: 48_000, growth: 16_250 })
    expect(budget({}, 1_000_000)).toMatchObject({ window: 1_000_000, trigger: 130_000, target: 48_000, tail: 20_000 })
    expect(budget({ preset: 'economy' }, 200_000)).toMatchObject({ trigger: 80_000, target: 24_000 })
  })

  it('on a small window triggers later and goes down deeper, from 16,000 tokens to about 64,000', () => {
    const later = { trigger: 13_600, limit: 13_600, target: 7_200 }
    for (const preset of ['pith', 'economy', 'balanced', 'full-window'] as const)
      expect(budget({ preset }, 16_000)).toMatchObject(later)
    expect(budget({}, 65_536)).toMatchObject({ trigger: 55_706, target: 29_491 })
    expect(budget({}, 15_999)).toMatchObject({ trigger: 12_000, target: 7_999 })
    expect(budget({}, 66_000)).toMatchObject({ trigger: 49_616, target: 33_000 })
    expect(budget({ preset: 'koda' }, 16_000)).toMatchObject({ trigger: 12_800 })
  })

  it('on a small window keeps to a trigger, a reserve or a target that the user sets', () => {
    expect(budget({ triggerPercent: 70 }, 16_000)).toMatchObject({ trigger: 11_200, limit: 12_000 })
    expect(budget({ tokenLimit: 9_000 }, 16_000)).toMatchObject({ trigger: 9_000 })
    expect(budget({ reserveTokens: 6_000 }, 16_000)).toMatchObject({ trigger: 12_000, limit: 12_000 })
    expect(budget({ reserveMaxPercent: 30 }, 16_000)).toMatchObject({ trigger: 11_200 })
    expect(budget({ targetPercent: 30 }, 16_000)).toMatchObject({ trigger: 12_000, target: 4_800 })
    expect(budget({ smallWindowTokens: 20_000 }, 32_000)).toMatchObject({ trigger: 24_000, target: 16_000 })
  })

  it('has room for names by the window: a list of them is read with every request', () => {
    expect(budget({}, 200_000).names).toBe(6_000)
    expect(budget({}, 1_000_000).names).toBe(8_000)
    expect(budget({ nameTokens: 1_000 }, 1_000_000).names).toBe(1_000)
  })

  it('has for names a small part of a target that was not raised for them', () => {
    expect(budget({ triggerPercent: 20 }, 200_000)).toMatchObject({ target: 25_000, names: 2_500 })
  })

  it('triggers earlier if the cache is cold, but so late that a compaction frees something', () => {
    const plain = { nameTokens: 0, triggerMaxTokens: 100_000, targetMaxTokens: 40_000 }
    expect(budget({ ...plain, coldTriggerPercent: 60 }, 200_000, 30_000).coldTrigger).toBe(90_000)
    expect(budget({ ...plain, coldTriggerPercent: 10 }, 200_000)).toMatchObject({ target: 40_000, coldTrigger: 52_500 })
    expect(budget({ ...plain, coldTriggerPercent: 100 }, 200_000)).toMatchObject({ coldTrigger: 100_000 })
    expect(budget({ triggerPercent: 60 }, 200_000).coldTrigger).toBeUndefined()
    expect(budget({ preset: 'full-window' }, 200_000).coldTrigger).toBeUndefined()
  })

  it('triggers earlier at an end of work, unless a compaction would leave it too near to that', () => {
    const plain = { nameTokens: 0, triggerMaxTokens: 100_000, targetMaxTokens: 40_000 }
    expect(budget({ ...plain, endOfWorkPercent: 60 }, 200_000, 30_000).endOfWorkTrigger).toBe(90_000)
    // The target and the required growth are 52,500.
    expect(budget({ ...plain, endOfWorkPercent: 53 }, 200_000).endOfWorkTrigger).toBe(53_000)
    expect(budget({ ...plain, endOfWorkPercent: 52 }, 200_000).endOfWorkTrigger).toBeUndefined()
    expect(budget({ ...plain, endOfWorkPercent: 100 }, 200_000).endOfWorkTrigger).toBeUndefined()
    expect(budget({}, 200_000).endOfWorkTrigger).toBe(80_600)
    expect(budget({ triggerPercent: 60 }, 200_000).endOfWorkTrigger).toBeUndefined()
    expect(budget({ tokenLimit: 100_000 }, 200_000).endOfWorkTrigger).toBeUndefined()
    expect(budget({ preset: 'kit' }, 200_000).endOfWorkTrigger).toBeUndefined()
  })

  it('does not count system prompt and tools among what was said: they leave as much room as they leave of the window', () => {
    expect(budget({ nameTokens: 0 }, 200_000, 20_000)).toMatchObject({ trigger: 150_000, target: 68_000 })
    expect(budget({ nameTokens: 0 }, 1_000_000, 150_000)).toMatchObject({ trigger: 280_000, target: 198_000 })
  })

  it('has a target halfway between large fixed parts and the trigger, so that there is room for a record', () => {
    expect(budget({ nameTokens: 0 }, 200_000, 130_000)).toMatchObject({ trigger: 160_000, target: 145_000 })
    expect(budget({ triggerPercent: 30 }, 200_000, 40_000)).toMatchObject({ trigger: 60_000, target: 50_000 })
    expect(budget({ triggerPercent: 50 }, 200_000, 65_000)).toMatchObject({ trigger: 100_000, target: 82_500 })
    expect(budget({ preset: 'full-window' }, 20_000, 11_000)).toMatchObject({ trigger: 17_000, target: 14_000 })
  })

  it('has a trigger above the fixed parts, and at the end the limit is the window less a short answer', () => {
    expect(budget({ triggerPercent: 30 }, 200_000, 70_000)).toMatchObject({ trigger: 80_000, target: 75_000 })
    expect(budget({}, 200_000, 180_000)).toMatchObject({ trigger: 183_616, limit: 183_616, ceiling: 195_904 })
    expect(budget({}, 200_000, 183_000)).toMatchObject({ limit: 195_904, ceiling: 195_904 })
    expect(budget({ preset: 'koda', tokenLimit: 30_000 }, 200_000, 70_000).trigger).toBe(30_000)
  })

  it('has its target under its trigger whatever is sent around the view', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('economy', 'balanced', 'full-window'),
        fc.integer({ min: 1_000, max: 2_000_000 }),
        fc.integer({ min: 0, max: 400_000 }),
        (preset, window, fixed) => {
          const { trigger = 0, target = 0 } = budget({ preset }, window, fixed)
          expect(target).toBeLessThan(trigger)
        },
      ),
    )
  })

  it('is that of the trigger that the user sets, though it is later', () => {
    expect(budget({ triggerPercent: 60 }, 1_000_000)).toMatchObject({ trigger: 600_000, target: 375_000 })
    expect(budget({ tokenLimit: 300_000 }, 1_000_000).trigger).toBe(300_000)
    expect(budget({ triggerPercent: 60, triggerMaxTokens: 200_000, nameTokens: 0 }, 1_000_000).trigger).toBe(200_000)
  })

  it('never triggers by tokens if the window is not known', () => {
    expect(budget({}).trigger).toBeUndefined()
  })
})

describe('the budget of full-window', () => {
  it('on a large window reserves 16,384 tokens and triggers at 80 %', () => {
    expect(budget({ preset: 'full-window' }, 200_000)).toMatchObject({
      window: 200_000,
      reserve: 16_384,
      trigger: 160_000,
      target: 100_000,
      growth: 20_000,
      tail: 20_000,
      summary: 8_000,
      index: 8_000,
    })
  })

  it('reserves at most a quarter, and triggers before the reserve if that is lower', () => {
    expect(budget({ preset: 'full-window', smallWindowTokens: 1 }, 32_000)).toMatchObject({
      reserve: 8_000,
      trigger: 24_000,
      target: 16_000,
    })
    expect(budget({ preset: 'full-window' }, 80_000)).toMatchObject({ reserve: 16_384, trigger: 63_616 })
    expect(budget({ preset: 'full-window' }, 100_000)).toMatchObject({ reserve: 16_384, trigger: 80_000 })
  })

  it('shares a small window out: no part takes more than its share of it', () => {
    expect(budget({}, 8_000)).toMatchObject({ reserve: 2_000, trigger: 6_000, tail: 2_000, summary: 800, index: 800 })
  })

  it('triggers at a token limit in place of the percentage, and its target goes down with it', () => {
    const limited = budget({ tokenLimit: 50_000 }, 200_000)
    expect(limited.trigger).toBe(50_000)
    expect(limited.target).toBeLessThan(50_000)
  })

  it('keeps the reserve free though the token limit is higher', () => {
    expect(budget({ tokenLimit: 199_000 }, 200_000).trigger).toBe(200_000 - 16_384)
  })

  it('has the window less the reserve as its limit, and a ceiling between that and the end of the window', () => {
    expect(budget({}, 200_000)).toMatchObject({ limit: 183_616, ceiling: 195_904 })
    expect(budget({}, 66_000)).toMatchObject({ limit: 49_616, ceiling: 61_904 })
  })
})

describe('the budget of kit', () => {
  it('triggers above window − reserve, and not at it', () => {
    expect(budget({ preset: 'kit' }, 200_000).trigger).toBe(200_000 - 16_384 + 1)
    expect(exceedsReserve(183_616, 200_000, 16_384)).toBe(false)
    expect(exceedsReserve(183_617, 200_000, 16_384)).toBe(true)
  })

  it('never triggers without a window or a reserve', () => {
    expect(exceedsReserve(1_000_000, 0, 16_384)).toBe(false)
    expect(exceedsReserve(1_000_000, -1, 16_384)).toBe(false)
    expect(exceedsReserve(1_000_000, 200_000, 0)).toBe(false)
    expect(exceedsReserve(1_000_000, 200_000, -1)).toBe(false)
    expect(budget({ preset: 'kit' }).trigger).toBeUndefined()
  })

  it('keeps 20,000 tokens of any window', () => {
    expect(budget({ preset: 'kit' }, 30_000).tail).toBe(20_000)
  })
})

describe('the budget of agent', () => {
  it('triggers at 80 % of the window, or at its token limit when that is set', () => {
    expect(budget({ preset: 'agent' }, 100_000).trigger).toBe(80_000)
    expect(budget({ preset: 'agent', tokenLimit: 30_000 }, 100_000).trigger).toBe(30_000)
    expect(budget({ preset: 'agent', tokenLimit: 90_000 }, 100_000).trigger).toBe(90_000)
  })
})

describe('the budget of keen', () => {
  it('has no trigger', () => {
    expect(budget({ preset: 'keen' }, 100_000).trigger).toBeUndefined()
  })
})

describe('a window that is not known', () => {
  it.each([[undefined], [0], [-5]])('(%s) gives no trigger, no limit and no target', (window) => {
    for (const preset of presetSchema.options) {
      const unknown = budget({ preset }, window)
      expect([unknown.window, unknown.trigger, unknown.limit, unknown.target], preset).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ])
    }
  })

  it('leaves a token limit in force, with a target under it', () => {
    const { trigger, target } = budget({ tokenLimit: 40_000 })
    expect(trigger).toBe(40_000)
    expect(target).toBeLessThan(40_000)
    expect(target).toBeGreaterThan(0)
  })
})

describe('any policy on any window', () => {
  const percent = fc.double({ min: 0, max: 100, noNaN: true })
  const patches: fc.Arbitrary<PolicyPatch> = fc.record(
    {
      preset: fc.constantFrom(...presetSchema.options),
      triggerPercent: percent,
      targetPercent: percent.filter((value) => value > 0),
      reserveTokens: fc.nat({ max: 300_000 }),
      reserveMaxPercent: percent,
      keepTokens: fc.nat({ max: 300_000 }),
      keepMaxPercent: percent,
      tokenLimit: fc.integer({ min: 1, max: 2_000_000 }),
    },
    { requiredKeys: [] },
  )
  const windows = fc.option(fc.integer({ min: 1_000, max: 2_000_000 }), { nil: undefined })

  it('has a target under its trigger: a compaction cannot trigger the next one', () => {
    fc.assert(
      fc.property(patches, windows, (patch, window) => {
        const { trigger, target } = budget(patch, window)
        if (trigger === undefined) return
        expect(target).toBeLessThan(trigger)
      }),
      { numRuns: full ? 2_000 : 300, examples: [[{ reserveMaxPercent: 100 }, 1_000]] },
    )
  })

  it('has whole numbers that are not negative, and no part larger than the window', () => {
    fc.assert(
      fc.property(patches, windows, (patch, window) => {
        const { reserve, growth, tail, summary, index, trigger, target, limit } = budget(patch, window)
        for (const tokens of [reserve, growth, tail, summary, index, trigger ?? 0, target ?? 0, limit ?? 0]) {
          expect(Number.isInteger(tokens)).toBe(true)
          expect(tokens).toBeGreaterThanOrEqual(0)
        }
        if (window === undefined) return
        for (const tokens of [reserve, growth, tail, summary, index, target ?? 0, limit ?? 0]) {
          expect(tokens).toBeLessThanOrEqual(window)
        }
      }),
      { numRuns: full ? 2_000 : 300 },
    )
  })
})
