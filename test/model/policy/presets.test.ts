import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CompactInput, compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import type { Policy, PolicyPatch, Preset } from '../../../src/model/policy/policy.ts'
import { presetSchema, styleSchema } from '../../../src/model/policy/policy-schema.ts'
import { PRESETS, policyOf } from '../../../src/model/policy/presets.ts'
import type { IndexDelta, Message } from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { history } from '../../support/arbitrary-history.ts'
import { full } from '../../support/full.ts'
import { modelSaying, user } from '../../support/messages.ts'

const runs = full ? 1_000 : 5
const windows = fc.constantFrom(2_000, 8_000, 18_000, 60_000, 200_000)
const reasons = fc.constantFrom('manual' as const, 'threshold' as const, 'overflow' as const)
const SUMMARY = 'We work on `src/a.ts` and on `src/never-mentioned.ts`.'

function ownFacts(): IndexDelta {
  return { files: [{ path: 'src/own.ts', access: 'read', seq: 1 }] }
}

/** Another preset with all settings of this one. */
function imitation(preset: Preset): PolicyPatch {
  return { ...PRESETS[preset], preset: preset === 'pith' ? 'kit' : 'pith' }
}

describe('settings alone', () => {
  it.each(presetSchema.options)('make the policy that is called %s', (preset) => {
    const { preset: base, ...settings } = policyOf(imitation(preset))
    const { preset: name, ...own } = policyOf({ preset })
    expect(settings).toEqual(own)
    expect(base).not.toBe(name)
  })

  it.each(presetSchema.options)('make the budget of %s', (preset) => {
    for (const window of [undefined, 2_000, 20_000, 200_000]) {
      expect(budgetOf(policyOf(imitation(preset)), window)).toEqual(budgetOf(policyOf({ preset }), window))
    }
  })

  it.each(styleSchema.options)('compact as %s does, request by request and entry by entry', async (preset) => {
    await fc.assert(
      fc.asyncProperty(history, history, windows, reasons, async (first, second, contextWindow, reason) => {
        const input = { model: { contextWindow }, reason, focus: 'the tests', facts: ownFacts }
        expect(await compactTwice(first, second, input, imitation(preset))).toEqual(
          await compactTwice(first, second, input, { preset }),
        )
      }),
      { numRuns: runs },
    )
  })

  it('of zero and less mean what they mean in kit', () => {
    const none = { keepTokens: -1, reserveTokens: 0 }
    expect(policyOf({ ...imitation('kit'), ...none })).toMatchObject({ keepTokens: 20_000, reserveTokens: 16_384 })
  })

  it('in any mixture make a valid context, and one that fits if the policy asks for it', async () => {
    let compactions = 0
    await fc.assert(
      fc.asyncProperty(history, mixtures, windows, async (messages, policy, contextWindow) => {
        const summaryModels = [modelSaying(SUMMARY)]
        const result = await compact({ log: logOf(messages), policy, model: { contextWindow }, summaryModels })
        if (!result.compacted) return
        compactions++
        expect(validate(requestOf(result.view).messages)).toEqual([])
        const whole = policyOf(policy)
        // Where the target cannot be reached, a compaction aims at what the window leaves beside a short answer.
        const { ceiling = 0 } = budgetOf(whole, contextWindow)
        if (whole.fitTarget) expect(result.tokensAfter).toBeLessThanOrEqual(ceiling)
      }),
      { numRuns: 4 * runs },
    )
    expect(compactions).toBeGreaterThan(runs / 5)
  })
})

const mixtures: fc.Arbitrary<PolicyPatch> = fc.record({
  preset: fc.constantFrom(...presetSchema.options),
  reserveTrigger: fc.constantFrom('at', 'above'),
  fitTarget: fc.boolean(),
  keepLatestMessage: fc.boolean(),
  covers: fc.constantFrom('span', 'everything'),
  splitTurns: fc.boolean(),
  updateSummary: fc.boolean(),
  indexTokens: fc.constantFrom(0, 500, 8_000),
  indexFacts: fc.constantFrom('all', 'files'),
  promptSet: fc.constantFrom(...styleSchema.options),
  frame: fc.constantFrom(...styleSchema.options),
  redactSecrets: fc.boolean(),
  verify: fc.boolean(),
  estimator: fc.constantFrom('features', 'characters'),
  rungs: fc.constantFrom<Policy['rungs'][]>(['cold'], ['mask', 'digest', 'squeeze'], ['cold', 'digest', 'squeeze']),
})

/** The results of two compactions in a row, and all that the summarising model was asked. */
async function compactTwice(
  first: readonly Message[],
  second: readonly Message[],
  input: Omit<CompactInput, 'log' | 'policy'>,
  policy: PolicyPatch,
) {
  const model = modelSaying(SUMMARY)
  const log = logOf([...first, user('Go on.')])
  const once = await compact({ ...input, log, policy, summaryModels: [model] })
  const drafts = second.map((message) => ({ type: 'message' as const, message }))
  const longer = appended([...log, ...once.entries], drafts)
  const twice = await compact({ ...input, log: longer, policy, summaryModels: [model] })
  return { once: plain(once), twice: plain(twice), requests: model.requests }
}

function plain({ view: _, ...result }: Awaited<ReturnType<typeof compact>>): unknown {
  return result
}
