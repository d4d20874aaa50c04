import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { statusOf } from '../../../../src/engine/context/open-context.ts'
import { appended } from '../../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../../src/engine/context/view/request.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import type { Preset } from '../../../../src/model/policy/policy.ts'
import type { Entry } from '../../../../src/model/types.ts'
import { messagesTokens } from '../../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { full } from '../../../support/full.ts'
import { call, modelSaying, result, user } from '../../../support/messages.ts'

const LINE = 'export const limit = Math.floor(window * 0.8) // the tokens that a request may have\n'
const LINE_TOKENS = featureEstimator.text(LINE)
const textOf = (tokens: number) => LINE.repeat(Math.ceil(tokens / LINE_TOKENS))
const MODEL = { provider: 'acme', model: 'large' }

/** A provider's report on a request: its true size, the part that it had not cached, the window. */
type Report = (input: number, uncached: number, window: number) => number

const WRONG: Record<string, Report> = {
  'a fifth': (input) => Math.round(input / 5),
  'uncached only': (_, uncached) => uncached,
  'a constant share of the window': (_, __, window) => Math.round(window * 0.15),
  'ten times as much': (input) => input * 10,
  'ten times the window': (_, __, window) => window * 10,
}

/** Sixty steps of an agent. Returns how many requests exceeded the window, and how often it was compacted. */
async function sixtySteps(preset: Preset, window: number, stepShare: number, fixedShare: number, report: Report) {
  const fixed = { system: textOf(window * fixedShare) }
  const model = { ...MODEL, contextWindow: window }
  const fixedTokens = featureEstimator.text(fixed.system)
  let log: Entry[] = appended([], [{ type: 'message', message: user('Find the limit and raise it.') }])
  let [over, compactions, cached] = [0, 0, 0]
  for (let step = 0; step < 60; step++) {
    const input = { log, policy: { preset }, model, fixed, reason: 'threshold' as const }
    const done = await compact({ ...input, summaryModels: preset === 'pith' ? [] : [SUMMARY()] })
    if (done.compacted) compactions++
    log = [...log, ...done.entries]
    const sent = fixedTokens + messagesTokens(requestOf(viewOf(log)).messages, featureEstimator)
    if (sent > window) over++
    const uncached = done.compacted ? sent : sent - cached
    cached = sent
    const answer = call(`c${step}`, 'read', { path: `src/part-${step}.ts` })
    const usage = { inputTokens: report(sent, uncached, window), outputTokens: 20 }
    log = appended(log, [
      { type: 'message', message: answer, usage, model: 'acme/large' },
      { type: 'message', message: result(`c${step}`, textOf(window * stepShare)) },
    ])
  }
  return { over, compactions, status: statusOf(log, { model, fixed, policy: { preset } }) }
}
const SUMMARY = () =>
  modelSaying(
    { type: 'text', text: 'The limit is in src/part-1.ts. It was read; next it is raised.' },
    { type: 'finish', reason: 'stop' },
  )

const presets = ['pith', 'koda', 'agent'] as const

it.each(Object.keys(WRONG))('no request exceeds the window while the provider reports %s', async (name) => {
  const report = WRONG[name] as Report
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...presets),
      fc.integer({ min: 12, max: full ? 21 : 15 }).map((power) => Math.min(2_000_000, Math.max(4_000, 2 ** power))),
      fc.double({ min: 0.03, max: 0.08, noNaN: true }),
      fc.double({ min: 0, max: 0.2, noNaN: true }),
      async (preset, window, stepShare, fixedShare) => {
        const { over } = await sixtySteps(preset, window, stepShare, fixedShare, report)
        expect(over).toBe(0)
      },
    ),
    { numRuns: full ? 12 : 2, examples: [['pith', 4_096, 0.05, 0.1]] },
  )
})

it('a report that is right is believed', async () => {
  const { over, status } = await sixtySteps('pith', 32_000, 0.03, 0.1, (input) => input)
  expect({ over, source: status.source, doubted: status.doubted }).toEqual({ over: 0, source: 'provider' })
})

it('a report that cannot be right is shown in the status', async () => {
  const { status } = await sixtySteps('pith', 32_000, 0.03, 0.1, () => 1_000)
  expect(status).toMatchObject({ source: 'estimate', doubted: 1_020 })
})
