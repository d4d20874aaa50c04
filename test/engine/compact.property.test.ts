import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { undoTargets } from '../../src/engine/activity.ts'
import { compact } from '../../src/engine/compact.ts'
import { estimatorOf } from '../../src/engine/estimator-of.ts'
import { appended, logOf } from '../../src/engine/log.ts'
import { requestOf } from '../../src/engine/request.ts'
import { validate } from '../../src/engine/validate.ts'
import { viewOf } from '../../src/engine/view.ts'
import type { Entry } from '../../src/model/entry.ts'
import { policyOf } from '../../src/model/presets.ts'
import { messagesOf } from '../../src/model/view.ts'
import { budgetOf } from '../../src/tokens/budget.ts'
import { messageTokens } from '../../src/tokens/estimate.ts'
import { status } from '../../src/tokens/status.ts'
import { history } from '../support/arbitrary-history.ts'
import { full } from '../support/full.ts'
import { modelSaying } from '../support/messages.ts'

const runs = full ? 5_000 : 300
const windows = fc.constantFrom(2_000, 8_000, 32_000, 200_000)
const reasons = fc.constantFrom('manual' as const, 'threshold' as const, 'overflow' as const)
/** What compact() counts with when nobody says otherwise. */
const estimator = estimatorOf(policyOf())
const summaryModels = [modelSaying('## Goal\nTo get on.\n\n', '## Next\nGo on.')]

describe('what compact() returns under the default policy', () => {
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
        const target = budgetOf(policyOf(), contextWindow).target ?? 0
        expect(result.tokensAfter).toBeLessThanOrEqual(target)
        const repaired = viewOf(longer.filter(({ type }) => type === 'message' || type === 'repair'))
        const asked = messagesOf(repaired).findLast((message) => message.role === 'user')
        const whole = asked !== undefined && messageTokens(asked, estimator) <= Math.floor(target / 4)
        // A larger one is its head and tail with a handle.
        if (whole) expect(result.messages).toContainEqual(asked)
        else if (asked !== undefined) expect(JSON.stringify(result.messages)).toContain('recall #')
      }),
      { numRuns: runs },
    )
    expect(compactions).toBeGreaterThan(runs / 20)
  })

  it('is taken back exactly by an undo, and a second compaction with nothing new does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(history, windows, async (messages, contextWindow) => {
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

function undone(log: readonly Entry[]): Entry[] {
  const { undo } = undoTargets(log)
  return undo === undefined ? [...log] : appended(log, [{ type: 'undo', of: undo }])
}
