import { expect, it } from 'vitest'
import { scaled } from '../../../src/engine/report/context-parts.ts'

it('sizes keep their proportion and add up to the total', () => {
  expect(scaled([1, 2, 5], 80)).toEqual([10, 20, 50])
  expect(scaled([10, 20, 50], 8)).toEqual([1, 2, 5])
})

it('what rounding leaves goes to those that lost most by it', () => {
  expect(scaled([10, 19, 21], 5)).toEqual([1, 2, 2])
  expect(scaled([1, 1, 1], 5)).toEqual([2, 2, 1])
  expect(scaled([5, 13, 2], 10)).toEqual([3, 6, 1])
})

it('without any size the first has all of it', () => {
  expect(scaled([0, 0, 0], 7)).toEqual([7, 0, 0])
  expect(scaled([], 7)).toEqual([])
})
