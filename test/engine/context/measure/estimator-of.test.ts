import { expect, it } from 'vitest'
import { estimate, estimatorOf } from '../../../../src/engine/context/measure/calibration.ts'
import { appended } from '../../../../src/engine/context/view/log.ts'
import type { Entry, EntryDraft } from '../../../../src/model/types.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { assistant, user } from '../../../support/messages.ts'

const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(100)

/** Turns of which the provider counts twice as many tokens as we do. */
function session(model: string): Entry[] {
  const drafts = Array.from({ length: 8 }, (_, i): EntryDraft[] => [
    { type: 'message', message: user(TEXT) },
    {
      type: 'message',
      message: assistant('ok'),
      usage: { inputTokens: 500 + (i + 1) * 2 * featureEstimator.text(TEXT), outputTokens: 0 },
      model,
    },
  ])
  return appended([], drafts.flat())
}
const ratio = (log: readonly Entry[], model?: { provider?: string; model?: string }) =>
  estimatorOf({ estimator: 'features' }, log, model).text(TEXT) / featureEstimator.text(TEXT)

it('a policy that counts characters divides by four until a provider has reported, then it learns too', () => {
  expect(estimatorOf({ estimator: 'characters' })).toBe(charactersByFour)
  const counted = estimatorOf({ estimator: 'characters' }, session('acme/large')).text(TEXT)
  expect(counted / featureEstimator.text(TEXT)).toBeCloseTo(2, 1)
})

it('features are calibrated by the reports of the model that is asked', () => {
  expect(ratio([])).toBe(1)
  expect(ratio(session('acme/large'), { provider: 'acme', model: 'large' })).toBeGreaterThan(1.5)
  expect(ratio(session('acme/large'), { provider: 'acme', model: 'small' })).toBe(1)
})

it('features are calibrated by the last report if the model is not fully named', () => {
  expect(ratio(session('acme/large'))).toBeGreaterThan(1.5)
  expect(ratio(session('acme/large'), { provider: 'other' })).toBeGreaterThan(1.5)
  expect(ratio(session('acme/large'), { model: 'small' })).toBeGreaterThan(1.5)
})

it('a text, a message and several messages are estimated', () => {
  expect(estimate('word'.repeat(5), charactersByFour)).toBe(5)
  expect(estimate(user('word'.repeat(5)), charactersByFour)).toBe(5)
  expect(estimate([user('word'.repeat(5)), assistant('word')], charactersByFour)).toBe(6)
  expect(estimate(TEXT)).toBe(featureEstimator.text(TEXT))
})
