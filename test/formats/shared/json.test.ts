import { describe, expect, it } from 'vitest'
import { time, wholeNumber } from '../../../src/formats/shared/json.ts'

describe('a time in a file', () => {
  it.each([
    ['an ISO date', '2026-03-01T10:00:00.000Z', 1_772_359_200_000],
    ['milliseconds', 1_772_359_200_000, 1_772_359_200_000],
    ['seconds', 1_772_359_200, 1_772_359_200_000],
    ['the first that is milliseconds', 1e11, 1e11],
    ['the last that a calendar has', 8.64e15, 8.64e15],
    ['later than any calendar', 8.64e15 + 2, undefined],
    ['zero', 0, undefined],
    ['before 1970', -1, undefined],
    ['no date', 'yesterday', undefined],
    ['nothing', null, undefined],
    ['a list', [1_772_359_200], undefined],
    ['an empty list', [], undefined],
  ])('may be %s', (_, value, expected) => {
    expect(time(value)).toBe(expected)
  })
})

it.each([
  [7.9, 7],
  [0, 0],
  [-1, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['7', undefined],
  [null, undefined],
])('the count %s is read as %s', (value, expected) => {
  expect(wholeNumber(value)).toBe(expected)
})
