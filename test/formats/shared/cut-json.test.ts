import { expect, it } from 'vitest'
import { parsedCut } from '../../../src/formats/shared/json.ts'

const DOCUMENT = '{"a": [1, {"b": "x, \\"y\\" }"}, [true, null]], "c": {"d": "\\\\", "e": -1.5}}'

it('a document that was cut off anywhere has what was complete before', () => {
  for (let end = 1; end < DOCUMENT.length; end++) {
    const value = parsedCut(DOCUMENT.slice(0, end))
    expect(isPart(value, JSON.parse(DOCUMENT)), `${end}: ${JSON.stringify(value)}`).toBe(true)
  }
})

it('a member is kept as soon as it is complete', () => {
  expect(parsedCut('{"a": {"b": 1, "c": "half of')).toEqual({ a: { b: 1 } })
  expect(parsedCut('[{"a": 1}, {"b": 2}, {"c": ')).toEqual([{ a: 1 }, { b: 2 }, {}])
})

it('text that is not JSON has nothing', () => {
  expect(parsedCut('Dear diary, today')).toBeUndefined()
  expect(parsedCut('')).toBeUndefined()
})

/** True when each member and item of the value is in the whole too. */
function isPart(value: unknown, whole: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, whole)
  return Object.entries(value).every(([key, member]) => isPart(member, (whole as Record<string, unknown>)[key]))
}
