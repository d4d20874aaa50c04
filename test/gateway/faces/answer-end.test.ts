import { describe, expect, it } from 'vitest'
import { answerEnd, type FaceName } from '../../../src/gateway/faces/face.ts'
import { faceNamed } from '../../../src/gateway/faces/read-request.ts'

/** How each protocol says that the model was done, was cut off, and was stopped by the provider. */
const REASONS: readonly (readonly [FaceName, done: string, cut: string, stopped: string])[] = [
  ['anthropic', '"stop_reason":"end_turn"', '"stop_reason":"max_tokens"', '"stop_reason":"refusal"'],
  ['openai-chat', '"finish_reason":"stop"', '"finish_reason":"length"', '"finish_reason":"content_filter"'],
  [
    'openai-responses',
    '"status":"completed","output":[{',
    '"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{',
    '"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[{',
  ],
  ['gemini', '"finishReason":"STOP"', '"finishReason":"MAX_TOKENS"', '"finishReason":"SAFETY"'],
]

describe.each(REASONS)('the end of an answer of %s', (face, done, cut, stopped) => {
  it.each([true, false])('is distinguished from one that was cut off or stopped; isStream: %s', (isStream) => {
    const { body } = faceNamed(face).render({ text: 'Half a summ', model: 'm', isStream, id: 'a', at: 0 })
    expect(body).toContain(done)

    const endOf = (reason: string) => faceNamed(face).answerOf(body.replace(done, reason), 0)?.end

    expect([done, cut, stopped].map(endOf)).toEqual(['stop', 'length', 'other'])
  })
})

it.each(['', 'COMPLETE', 'eos', 'FINISH_REASON_UNSPECIFIED'])(
  'takes “%s”, which some servers say, for the end of a whole answer',
  (reason) => {
    expect(answerEnd(reason)).toBe('stop')
  },
)

it.each(['pause_turn', 'RECITATION', 'MALFORMED_FUNCTION_CALL', 'cancelled'])(
  'takes “%s” for a stop before the end',
  (reason) => {
    expect(answerEnd(reason)).toBe('other')
  },
)
