import { expect, it } from 'vitest'
import { isPossibleCount, isPossibleGrowth } from '../../src/tokens/status.ts'

const seen = (tokens: number, window?: number) => ({ least: tokens, all: tokens, window })

it.each([
  ['half of the text', 10_000, 20_000],
  ['the part that was not cached', 900, 20_000],
  ['a constant that the text has outgrown', 1_000, 3_200],
])('a count of %s is not possible', (_, reported, tokens) => {
  expect(isPossibleCount(reported, seen(tokens))).toBe(false)
})

it.each([0.75, 1, 1.35, 2])('a count of %s times the estimate is possible', (factor) => {
  expect(isPossibleCount(20_000 * factor, seen(20_000, 200_000))).toBe(true)
})

it('a count with tools and images that we do not see is possible, one that is absurdly above is not', () => {
  expect(isPossibleCount(30_000, seen(500))).toBe(true)
  expect(isPossibleCount(5_000_000, seen(500))).toBe(false)
  expect(isPossibleCount(150_000, seen(20_000))).toBe(false)
})

it('a count above the window is possible only if the text is about as long: it was answered', () => {
  expect(isPossibleCount(9_000, seen(2_000, 8_000))).toBe(false)
  expect(isPossibleCount(9_000, seen(8_500, 8_000))).toBe(true)
})

it('a few words prove nothing', () => {
  expect(isPossibleCount(40, seen(2_900))).toBe(true)
})

it('a count grows with the text', () => {
  expect(isPossibleGrowth(800, 1_000)).toBe(true)
  expect(isPossibleGrowth(400, 1_000)).toBe(false)
  expect(isPossibleGrowth(-500, 1_000)).toBe(false)
})
