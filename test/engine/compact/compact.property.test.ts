import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { estimatorOf } from '../../../src/engine/context/measure/calibration.ts'
import { undoTargets } from '../../../src/engine/context/view/activity.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { cutByTurns } from '../../../src/engine/plan/cut-rules.ts'
import { leastRecord } from '../../../src/engine/plan/plan-shape.ts'
import { firstWordsTokens } from '../../../src/engine/plan/spared-words.ts'
import { frameTokens } from '../../../src/engine/record/frame-tokens.ts'
import type { CompactResult } from '../../../src/model/compact-result.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import { type Entry, messagesOf } from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { calibrated } from '../../../src/tokens/calibrate.ts'
import { messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { sizesOf, tokensBetween, unreadOf } from '../../../src/tokens/sizes.ts'
import { status } from '../../../src/tokens/status.ts'
import { history } from '../../support/arbitrary-history.ts'
import { full } from '../../support/full.ts'
import { modelSaying, user } from '../../support/messages.ts'
import { budgetFor, excessIn, unreadAfter } from '../../support/within-bounds.ts'

const runs = full ? 5_000 : 12
const windows = fc.constantFrom(2_000, 8_000, 32_000, 200_000)
const reasons = fc.constantFrom('manual' as const, 'threshold' as const, 'overflow' as const)
/** The default estimator of compact(). */
const estimator = estimatorOf(policyOf())
const summaryModels = [modelSaying('## Goal\nTo get on.\n\n', '## Next\nGo on.')]

describe('the result of compact() under the default policy', () => {
  it('is valid for every provider, fits the target, keeps the latest request and loses no entry', async () => {
    let compactions = 0
    await fc.assert(
      fc.asyncProperty(history, windows, reasons, async (messages, contextWindow, reason) => {
        const log = logOf(messages)
        const before = JSON.stringify(log)
        const result = await compact({ log, model: { contextWindow }, reason, summaryModels })
        expect(JSON.stringify(log)).toBe(before)
        const longer = [...log, ...result.entries]
        expect(JSON.stringify(messagesOf(viewOf(longer)))).toBe(JSON.stringify(result.messages))
        if (!result.compacted) return
        compactions++
        expect(validate(requestOf(result.view).messages)).toEqual([])
        expect(result.tokensAfter).toBe(status({ view: result.view, model: { contextWindow }, estimator }).tokens)
        expectBounded(result, log, contextWindow)
        const target = budgetOf(policyOf(), contextWindow).target ?? 0
        const repaired = viewOf(longer.filter(({ type }) => type === 'message' || type === 'repair'))
        const asked = messagesOf(repaired).findLast((message) => message.role === 'user')
        const whole = asked !== undefined && messageTokens(asked, estimator) <= Math.floor(target / 4)
        if (asked === undefined) return
        // A larger one is its head and tail with a handle, unless it is unread and fits.
        const texts = JSON.stringify(result.messages)
        const there = texts.includes(JSON.stringify(asked))
        if (whole) expect(there).toBe(true)
        else expect(there || texts.includes('recall #')).toBe(true)
      }),
      { numRuns: runs },
    )
    expect(compactions).toBeGreaterThan(runs / 20)
  })

  it('is never a failure without a model, whatever the fixed parts and the pending input leave of the target', async () => {
    const outcomes = { compacted: 0, 'floor-too-large': 0 }
    await fc.assert(
      fc.asyncProperty(history, tightCases, reasons, async (messages, tight, reason) => {
        const { contextWindow, percent, fixed, pending } = sized(tight)
        const log = logOf(messages)
        const measure = calibrated(featureEstimator, { factor: percent / 100, reports: [] })
        const result = await compact({
          log,
          fixed,
          pending,
          model: { contextWindow },
          reason,
          estimator: measure,
        })
        expect(result.outcome, result.reason).not.toBe('failed')
        expect(result.entries.filter(({ type }) => type === 'attempt')).toEqual([])
        if (result.outcome === 'skipped' && result.skip === 'floor-too-large') outcomes['floor-too-large']++
        if (!result.compacted) return
        outcomes.compacted++
        expect(result.tokensAfter).toBeLessThanOrEqual(budgetOf(policyOf(), contextWindow).ceiling ?? 0)
      }),
      { numRuns: 2 * runs },
    )
    expect(outcomes.compacted).toBeGreaterThan(runs / 40)
    expect(outcomes['floor-too-large']).toBeGreaterThan(runs / 40)
  })

  it('is taken back exactly by an undo, and a second compaction with nothing new does nothing', async () => {
    await fc.assert(
      // In a window of 2,000 tokens a user who asks again has the last message shortened.
      fc.asyncProperty(history, fc.constantFrom(4_000, 8_000, 32_000, 200_000), async (messages, contextWindow) => {
        const log = logOf(messages)
        const first = await compact({ log, model: { contextWindow }, summaryModels })
        if (!first.compacted) return
        const longer = [...log, ...first.entries]
        const again = await compact({ log: longer, model: { contextWindow }, summaryModels })
        expect(again.outcome).toBe('skipped')
        expect(again.entries).toEqual([])
        expect(JSON.stringify(again.messages)).toBe(JSON.stringify(first.messages))
        const repaired = longer.filter(({ type }) => type === 'message' || type === 'repair')
        expect(JSON.stringify(messagesOf(viewOf(undone(longer))))).toBe(JSON.stringify(messagesOf(viewOf(repaired))))
      }),
      { numRuns: runs },
    )
  })
})

/**
 * Less the unread it is within the target, all of it within the limit. Up to the ceiling it goes only if the smallest
 * record with the last step does not fit the limit beside the unread; then the unread is whole.
 */
function expectBounded(result: CompactResult, log: readonly Entry[], contextWindow: number): void {
  const input = { model: { contextWindow } }
  const excess = excessIn(result, input)
  if (excess?.over !== 'limit') return expect(excess).toBeUndefined()
  const view = viewOf(log)
  const sizes = sizesOf(view.items, estimator)
  const { from } = unreadOf(sizes)
  const step = tokensBetween(sizes, cutByTurns(view, 0, sizes, undefined, from), from)
  const record = leastRecord({ floorTokens: 0, frameTokens: frameTokens(view.items.length, estimator) })
  // A summary and an index have as much room as the step between them.
  const least = record + firstWordsTokens(view, sizes) + 3 * step
  expect(least + unreadAfter(result, input)).toBeGreaterThan(excess.most)
  expect(result).not.toHaveProperty('leftOut')
  expect(excess.tokens).toBeLessThanOrEqual(budgetFor(input).ceiling ?? 0)
}

type Tight = { contextWindow: number; percent: number; left: number; ofPending: number }

/** Windows of which the fixed parts and the pending input leave little more or less than a frame needs. */
const tightCases: fc.Arbitrary<Tight> = fc.record({
  contextWindow: fc.oneof(fc.integer({ min: 600, max: 1_600 }), fc.constantFrom(2_000, 8_000, 32_000)),
  percent: fc.constantFrom(50, 100, 130, 200),
  left: fc.oneof(fc.integer({ min: 180, max: 700 }), fc.integer({ min: 0, max: 4_000 })),
  ofPending: fc.double({ min: 0, max: 1, noNaN: true }),
})

function sized({ contextWindow, percent, left, ofPending }: Tight) {
  const { ceiling = 0 } = budgetOf(policyOf(), contextWindow)
  const tokens = (Math.max(0, ceiling - (left * percent) / 100) * 100) / percent
  const words = (count: number) => 'word '.repeat(Math.max(0, Math.floor(count)))
  const pending = ofPending === 0 ? [] : [user(`go ${words(tokens * ofPending)}`)]
  return { contextWindow, percent, pending, fixed: { system: words(tokens * (1 - ofPending)) } }
}

function undone(log: readonly Entry[]): Entry[] {
  const { undo } = undoTargets(log)
  return undo === undefined ? [...log] : appended(log, [{ type: 'undo', of: undo }])
}
