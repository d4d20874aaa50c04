import { expect, it } from 'vitest'
import { atOnce, inSlices, mapSteps, type Steps } from '../../src/model/steps.ts'

function* counting(to: number): Steps<number> {
  for (let i = 0; i < to; i++) yield
  return to
}

it('work in steps gives the same result with and without pauses', async () => {
  expect(atOnce(counting(3))).toBe(3)
  expect(await inSlices(counting(3), undefined)).toBe(3)
  let pauses = 0
  const pause = () => (++pauses === 2 ? Promise.resolve() : undefined)
  expect(await inSlices(counting(3), pause)).toBe(3)
  expect(pauses).toBe(3)
})

it('a pause that throws ends the work', async () => {
  const pause = () => Promise.reject(new Error('cancelled'))
  await expect(inSlices(counting(3), pause)).rejects.toThrow('cancelled')
})

it('a function of many values pauses between them, and keeps their order', () => {
  const values = Array.from({ length: 100 }, (_, i) => i)
  const steps = mapSteps(values, (value, i) => value * 2 + i)
  expect(steps.next().done).toBe(false)
  expect(atOnce(mapSteps(values, (value, i) => value * 2 + i))).toEqual(values.map((value) => value * 3))
})
