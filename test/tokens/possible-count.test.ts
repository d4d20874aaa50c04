import { expect, it } from 'vitest'
import { isPossibleCount } from '../../src/tokens/status.ts'

it.each([0.25, 0.5, 1, 2, 100])(
  'a count of %s times the estimate is possible: agents send less or more than their log has',
  (factor) => {
    expect(isPossibleCount(20_000 * factor, 20_000)).toBe(true)
  },
)

it('a count below a quarter of the estimate is not possible, however short the request is', () => {
  expect(isPossibleCount(4_999, 20_000)).toBe(false)
  expect(isPossibleCount(200, 1_600)).toBe(false)
})

it('a count of more than twice the window is not possible: the request was answered', () => {
  expect(isPossibleCount(16_000, 2_000, 8_000)).toBe(true)
  expect(isPossibleCount(16_001, 2_000, 8_000)).toBe(false)
})

it('a count of more than twice the window is possible if the messages are as long: another model had room for them', () => {
  expect(isPossibleCount(450_000, 380_000, 200_000)).toBe(true)
  expect(isPossibleCount(760_001, 380_000, 200_000)).toBe(false)
})
