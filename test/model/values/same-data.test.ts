import { expect, it } from 'vitest'
import { sameData } from '../../../src/model/values.ts'

it('data is the same by what is in it', () => {
  expect(sameData({ a: [1, { b: Number.NaN }] }, { a: [1, { b: Number.NaN }] })).toBe(true)
  expect(sameData({ a: [1, 2] }, { a: [1] })).toBe(false)
})

it('a field that is undefined is not a field of another name', () => {
  expect(sameData({ x: undefined }, { y: 1 })).toBe(false)
  expect(sameData({ x: undefined }, { x: undefined })).toBe(true)
})
