import { expect, it } from 'vitest'
import { nextMerge } from '../../src/search/next-merge.ts'

const of = (...counts: readonly number[]) => counts.map((count, i) => ({ id: i + 1, count }))

it('merges eight segments of one size, the oldest first, and fewer not', () => {
  expect(nextMerge(of(64, 70, 80, 64, 64, 64, 64))).toEqual([])
  expect(nextMerge(of(64, 70, 9_000, 80, 64, 64, 64, 64, 100))).toEqual([1, 2, 4, 5, 6, 7, 8, 9])
})

it('merges small segments even if there are many large ones that cannot be merged', () => {
  const large = Array.from({ length: 9 }, () => 8_000)
  const small = Array.from({ length: 8 }, () => 64)
  expect(nextMerge(of(...large, ...small))).toHaveLength(8)
})
