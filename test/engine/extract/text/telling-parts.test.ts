import { expect, it } from 'vitest'
import { informativeParts, informativeText } from '../../../../src/engine/extract/text/sentences.ts'

const parts = [
  'The upload works again.',
  'It took a while to get there.',
  'The lease of `uploads.ts` ran out after 30 s because `renew` was never called.',
  'I will look at the rest tomorrow.',
  'The limit is 12 MB in `limits.json` now.',
  'Shall I commit it?',
]

it('a text that is short enough is quoted whole', () => {
  expect(informativeText('One. Two.', 20)).toBe('One. Two.')
})

it('parts that say nothing are dropped first, whatever room there is; a last question stays', () => {
  expect(informativeParts(parts, 400)).toBe(
    'The upload works again. … The lease of `uploads.ts` ran out after 30 s because `renew` was never called. … The limit is 12 MB in `limits.json` now. Shall I commit it?',
  )
})

it('with little room the best part is quoted, not the beginning, and no question that is answered by now', () => {
  const best = '… The lease of `uploads.ts` ran out after 30 s because `renew` was never called.'
  expect(informativeText(parts.join(' '), 90)).toBe(best)
  expect(informativeText(`${parts[0]} ${best} ${parts[4]}`, 90)).toBe(best)
})

it('if not even the best part fits, it is cut', () => {
  expect(informativeParts(['The lease of `uploads.ts` ran out after 30 s because `renew` was never called.'], 40)).toBe(
    'The lease of `uploads.ts` ran out …',
  )
})

it('a text of one endless word takes little time', () => {
  expect(informativeText('x'.repeat(200_000), 100).length).toBeLessThanOrEqual(101)
})
