import { expect, it } from 'vitest'
import { shownCharacters, shownPart } from '../../src/agent/shown-part.ts'

it('a result is shown up to a tenth of the window, between 2,000 and 30,000 characters', () => {
  expect([undefined, 1_000_000, 75_000, 50_000, 10_001, 5_000, 1_000].map(shownCharacters)).toEqual([
    30_000, 30_000, 30_000, 20_000, 4_000, 2_000, 2_000,
  ])
})

it('of a longer one its head and its tail are shown', () => {
  expect(shownPart('x'.repeat(2_000), 5_000)).toBeUndefined()
  expect(shownPart('x'.repeat(2_001), 5_000)).toEqual({ head: 1_000, tail: 1_000 })
  expect(shownPart('x'.repeat(3_000), 5_003)).toEqual({ head: 1_001, tail: 1_000 })
})
