import { expect, it } from 'vitest'
import { allLearnedFrom, lessonOf } from '../../../../src/engine/context/measure/calibration.ts'
import { appended } from '../../../../src/engine/context/view/log.ts'
import type { EntryDraft, Message } from '../../../../src/model/types.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { compaction } from '../../../store/contract/drafts.ts'
import { assistant, user } from '../../../support/messages.ts'

const QUESTION = 'Please find out why the upload fails for large files. '.repeat(20)
const said = (message: Message, inputTokens?: number): EntryDraft => ({
  type: 'message',
  message,
  model: 'acme/large',
  ...(inputTokens === undefined ? {} : { usage: { inputTokens, outputTokens: 10 } }),
})
const asked = featureEstimator.text(QUESTION)
const turns = [
  said(user(QUESTION)),
  said(assistant(QUESTION), 20_000 + asked),
  said(user(QUESTION)),
  said(assistant('It is the limit.'), 20_000 + 3 * asked),
]

it('the tokens around the first request are known from its count, and later ones do not change them', () => {
  expect(lessonOf(appended([], turns), featureEstimator).around).toBe(20_000)
  expect(lessonOf(appended([], turns.slice(0, 1)), featureEstimator).around).toBeUndefined()
})

it('a compaction carries them to a log without the replaced messages', () => {
  const learned = allLearnedFrom(appended([], turns))
  const light = appended([], [compaction({ upTo: 0, learned }), said(assistant('Done.'), 9_000)])
  expect(lessonOf(light, featureEstimator).around).toBe(20_000)
})

it('a first request with very long messages says nothing about them', () => {
  const long = [said(user(QUESTION.repeat(200))), said(assistant('Done.'), 90_000)]
  expect(lessonOf(appended([], long), featureEstimator).around).toBeUndefined()
})
