import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementRanges, memberList, memberRanges } from '../../../src/gateway/bytes/json-ranges.ts'

describe('the ranges of a JSON text', () => {
  it('give back every member and every element, however the text is spaced', () => {
    const spacing = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(fc.jsonValue())), spacing, (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const members = memberRanges(text)
        expect([...members.keys()].toSorted()).toEqual(Object.keys(value).toSorted())
        for (const [key, { start, end }] of members) {
          expect(JSON.parse(text.slice(start, end))).toEqual(JSON.parse(JSON.stringify(value[key])))
          const elements = elementRanges(text, start).map((range) => JSON.parse(text.slice(range.start, range.end)))
          expect(elements).toEqual(JSON.parse(JSON.stringify(value[key])))
          expect(memberList(text, key)).toEqual({ start, end, elements: elementRanges(text, start) })
        }
      }),
      { numRuns: 50 },
    )
  })

  it('are not misled by quotes, brackets and backslashes inside texts', () => {
    const text = '{ "a\\"]" : ["\\\\", "\\\\\\"}", {"b": "]["} , -1.5e3,null ] ,"messages":[]}'
    const [first] = memberRanges(text).values()
    const slices = elementRanges(text, first?.start ?? 0).map(({ start, end }) => text.slice(start, end))
    expect(slices).toEqual(['"\\\\"', '"\\\\\\"}"', '{"b": "]["}', '-1.5e3', 'null'])
  })

  it('count a key that stands twice where it stands last, as JSON.parse does', () => {
    const text = '{"a":1,"a":22}'
    expect(memberRanges(text).get('a')).toEqual({ start: 11, end: 13 })
  })

  it('are none for what is no object or no list', () => {
    expect(memberRanges('[1]').size).toBe(0)
    expect(elementRanges('{"a":1}', 0)).toEqual([])
    for (const text of ['[1]', '{"a":1}', '{"a":[],"a":1}', '{}']) expect(memberList(text, 'a')).toBeUndefined()
  })
})
