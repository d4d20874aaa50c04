import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementRanges, listFrom, memberList, memberRanges, valueIn } from '../../../src/gateway/bytes/json-ranges.ts'

describe('the ranges of a JSON text', () => {
  it('give back every member and every element, however the text is spaced', () => {
    const spacing = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(fc.jsonValue())), spacing, (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const body = Buffer.from(text)
        const members = memberRanges(body)
        expect([...members.keys()].toSorted()).toEqual(Object.keys(value).toSorted())
        for (const [key, { start, end }] of members) {
          expect(valueIn(body, { start, end })).toEqual(JSON.parse(JSON.stringify(value[key])))
          const elements = elementRanges(body, start).map((range) => valueIn(body, range))
          expect(elements).toEqual(JSON.parse(JSON.stringify(value[key])))
          expect(memberList(body, key)).toEqual({ start, end, elements: elementRanges(body, start) })
        }
      }),
      { numRuns: 50 },
    )
  })

  it('are not misled by quotes, brackets and backslashes inside texts', () => {
    const text = '{ "a\\"]" : ["\\\\", "\\\\\\"}", {"b": "]["} , -1.5e3,null ] ,"messages":[]}'
    const body = Buffer.from(text)
    const [first] = memberRanges(body).values()
    const slices = elementRanges(body, first?.start ?? 0).map(({ start, end }) => body.toString('utf8', start, end))
    expect(slices).toEqual(['"\\\\"', '"\\\\\\"}"', '{"b": "]["}', '-1.5e3', 'null'])
  })

  it('count a key that appears twice at its last place, as JSON.parse does', () => {
    const body = Buffer.from('{"a":1,"a":22}')
    expect(memberRanges(body).get('a')).toEqual({ start: 11, end: 13 })
  })

  it('are none for text that is not an object or a list', () => {
    expect(memberRanges(Buffer.from('[1]')).size).toBe(0)
    expect(elementRanges(Buffer.from('{"a":1}'), 0)).toEqual([])
    for (const text of ['[1]', '{"a":1}', '{"a":[],"a":1}', '{}'])
      expect(memberList(Buffer.from(text), 'a')).toBeUndefined()
  })

  it('continue after elements that are known', () => {
    const body = Buffer.from('{"a":[ {"b":"ü"} , 2,[3] ]}')
    const whole = listFrom(body, 5)
    for (let known = 0; known <= 3; known++) expect(listFrom(body, 5, whole.elements.slice(0, known))).toEqual(whole)
  })

  it.each(['[1 2]', '[1,]', '[,1]', '[1', '["a]', '[}]', '[{"a":1]', '['])(
    'are none for the broken list %s',
    (text) => {
      expect(() => listFrom(Buffer.from(text), 0)).toThrow('not JSON')
    },
  )
})
