import { expect, it } from 'vitest'
import type { Measurement } from '../../../scripts/mutate/measure.ts'
import { chooseTests, reachingTests } from '../../../scripts/mutate/test-choice.ts'

it('the four nearest tests run however slow they are, then the fastest that fit', () => {
  const nearest = ['a', 'b', 'c', 'd'].map((test) => ({ test, ms: 3_000 }))
  const others = [
    { test: 'slow', ms: 9_000 },
    { test: 'medium', ms: 2_000 },
    { test: 'fast', ms: 500 },
  ]
  const names = (budgetMs: number) => chooseTests([...nearest, ...others], budgetMs).tests.join(' ')
  expect(names(1_000)).toBe('a b c d')
  expect(names(13_000)).toBe('a b c d fast')
  expect(names(15_000)).toBe('a b c d fast medium')
})

it('a test that fails without a mutant, or does not run its code, is not chosen', () => {
  const functions = [{ start: 0, end: 10, id: 'f' }]
  const measurements = new Map<string, Measurement>([
    ['runs', { kind: 'passed', ms: 1, reached: new Set(['f']) }],
    ['imports', { kind: 'passed', ms: 1, reached: new Set() }],
    ['fails', { kind: 'failed' }],
  ])
  const related = ['fails', 'imports', 'runs', 'not-measured']
  expect(reachingTests({ start: 2, end: 3 }, functions, related, measurements)).toEqual([{ test: 'runs', ms: 1 }])
})
