import { expect, it } from 'vitest'
import { lossText } from '../../../src/engine/report/loss-text.ts'

it('an answer is the last of its turn, or one on the way', () => {
  expect(lossText({ kind: 'answer', isLast: true })).toBe('The answer of the agent at the end of a turn.')
  expect(lossText({ kind: 'answer', isLast: false })).toBe('The agent said this while it worked.')
})
