import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Items } from '../../src/model/items.ts'
import type { Message } from '../../src/model/types.ts'
import { type Calibration, calibrate, calibrated, UNCALIBRATED } from '../../src/tokens/calibrate.ts'
import { charactersByFour, countsAlike, type Estimator, messageTokens } from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import { sizesAgain, sizesOf } from '../../src/tokens/sizes.ts'

const wild = [0, -5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, 100_000, 1e300]
const trueFactor = () => fc.double({ min: 0.6, max: 1.8, noNaN: true })

/** The report of a model that counts `factor` times as much, a few percent off. */
const honest = (factor: number) =>
  fc
    .record({
      estimated: fc.integer({ min: 1_000, max: 200_000 }),
      noise: fc.double({ min: 0.98, max: 1.02, noNaN: true }),
    })
    .map(({ estimated, noise }) => ({ estimated, reported: Math.round(estimated * factor * noise) }))

describe('calibration', () => {
  it('finds the factor of a model within five honest reports', () => {
    const history = trueFactor().chain((factor) =>
      fc.record({ factor: fc.constant(factor), reports: fc.array(honest(factor), { minLength: 5, maxLength: 20 }) }),
    )
    fc.assert(
      fc.property(history, ({ factor, reports }) => {
        const found = reports.reduce(calibrate, UNCALIBRATED).factor
        expect(Math.abs(found / factor - 1)).toBeLessThan(0.045)
      }),
    )
  })

  it('moves hardly for one wild report, wherever it comes', () => {
    const history = trueFactor().chain((factor) =>
      fc.record({
        reports: fc.array(honest(factor), { minLength: 3, maxLength: 12 }),
        reported: fc.constantFrom(...wild),
      }),
    )
    fc.assert(
      fc.property(history, ({ reports, reported }) => {
        const before = reports.reduce(calibrate, UNCALIBRATED)
        const after = calibrate(before, { estimated: 10_000, reported })
        // As far as the honest reports are apart.
        expect(Math.abs(after.factor / before.factor - 1)).toBeLessThan(0.045)
      }),
    )
  })

  it('takes the middle of an odd number of reports', () => {
    const report = (reported: number) => ({ estimated: 1_000, reported })
    // The two neutral reports are among the five.
    expect([1_100, 1_500, 1_300].map(report).reduce(calibrate, UNCALIBRATED).factor).toBe(1.1)
  })

  it('is not moved by a first report that is wild', () => {
    for (const reported of wild) expect(calibrate(UNCALIBRATED, { estimated: 10_000, reported }).factor).toBe(1)
  })

  it('ignores what cannot be true and what is too small to judge', () => {
    const reports = [
      { estimated: 10_000, reported: 0 },
      { estimated: 10_000, reported: -1 },
      { estimated: 10_000, reported: Number.NaN },
      { estimated: Number.NaN, reported: 10_000 },
      { estimated: 0, reported: 10_000 },
      { estimated: 20, reported: 45 },
    ]
    for (const report of reports) expect(calibrate(UNCALIBRATED, report)).toBe(UNCALIBRATED)
  })

  it('stays between 0.5 and 2 whatever is reported', () => {
    const report = fc.record({ estimated: fc.double(), reported: fc.double() })
    fc.assert(
      fc.property(fc.array(report, { maxLength: 30 }), (reports) => {
        const { factor, reports: kept } = reports.reduce(calibrate, UNCALIBRATED)
        expect(factor).toBeGreaterThanOrEqual(0.5)
        expect(factor).toBeLessThanOrEqual(2)
        expect(kept.length).toBeLessThanOrEqual(7)
      }),
    )
  })

  it('follows a provider that counts differently from now on', () => {
    const report = (factor: number) => ({ estimated: 10_000, reported: 10_000 * factor })
    const before = Array.from({ length: 10 }, () => report(1.1)).reduce(calibrate, UNCALIBRATED)
    const after = Array.from({ length: 5 }, () => report(1.4)).reduce(calibrate, before)
    expect(before.factor).toBeCloseTo(1.1)
    expect(after.factor).toBeCloseTo(1.4)
  })

  it('keeps its factor while the reports say nearly the same, so that nothing is counted again', () => {
    const ratios = [1.2, 1.2, 1.2, 1.21, 1.19, 1.205, 1.212]
    const factors = new Set<number>()
    ratios.reduce<Calibration>(
      (before, ratio) => {
        const after = calibrate(before, { estimated: 10_000, reported: 10_000 * ratio })
        factors.add(after.factor)
        return after
      },
      { factor: 1.2, reports: [1.2, 1.2, 1.2] },
    )
    expect([...factors]).toEqual([1.2])
  })
})

describe('a calibrated estimator', () => {
  const text = 'Four characters are one token, or so they say.'.repeat(20)

  it('counts what the estimator counts, times the factor', () => {
    const scaled = calibrated(featureEstimator, { factor: 1.25, reports: [] })
    expect(scaled.text(text)).toBe(Math.round(featureEstimator.text(text) * 1.25))
    expect(scaled.name).toBe('features × 1.25')
  })

  it('counts alike for the same estimator and percents, whatever the reports were', () => {
    const first = calibrated(featureEstimator, { factor: 1.2501, reports: [] })
    const isAlike = (estimator: Estimator, factor: number) =>
      countsAlike(first, calibrated(estimator, { factor, reports: [1.2] }))
    expect(isAlike(featureEstimator, 1.2499)).toBe(true)
    expect(isAlike(featureEstimator, 1.26)).toBe(false)
    expect(isAlike(charactersByFour, 1.25)).toBe(false)
    expect(isAlike(featureEstimator, 1)).toBe(false)
  })

  it('is the estimator itself when there is nothing to correct', () => {
    expect(calibrated(featureEstimator, UNCALIBRATED)).toBe(featureEstimator)
    expect(calibrated(featureEstimator, { factor: Number.NaN, reports: [] })).toBe(featureEstimator)
  })

  it('counts a message that was counted before as if it read it', () => {
    const read: string[] = []
    const words: Estimator = { name: 'words', text: (text) => read.push(text) && text.split(' ').length }
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'seven words are counted as seven tokens' },
        { type: 'image', image: 'aGVsbG8=' },
        { type: 'text', text: 'one more' },
      ],
    }
    const scaled = calibrated(words, { factor: 1.3, reports: [] })
    const counted = messageTokens(message, scaled)
    const items = Items.of([{ kind: 'message', seq: 1, place: 1, message, pinned: false }])
    const before = sizesOf(items, words)
    read.length = 0
    expect(sizesAgain(before, items, scaled).totals.last).toBe(counted)
    expect(read).toEqual([])
  })

  it('counts nothing as nothing and something as at least one token', () => {
    const one: Estimator = { name: 'one', text: (of) => Math.min(1, of.length) }
    const half = calibrated(one, { factor: 0.5, reports: [] })
    expect(half.text('')).toBe(0)
    expect(half.text('a')).toBe(1)
  })
})
