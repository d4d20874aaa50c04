import { describe, expect, it } from 'vitest'
import {
  canMeet,
  exactText,
  type Hole,
  literal,
  type TextShape,
  wildcardShape,
} from '../../../../src/agent/permissions/shell/text-shape.ts'

/** `a<any>b` as a shape. */
function shape(text: string): TextShape {
  return text
    .split(/(<[a-z-]+>)/)
    .flatMap((part) => (/^<.+>$/.test(part) ? [{ hole: part.slice(1, -1) as Hole }] : literal(part)))
}

describe('two shapes', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['', '', true],
    ['', 'a', false],
    ['<any>', '', true],
    ['<any>', 'a/b', true],
    ['a<any>', 'a', true],
    ['a<any>', 'b', false],
    ['a<any>c', 'abc', true],
    ['a<any>c', 'abcd', false],
    ['<any>c', 'abc', true],
    ['<any>b<any>', 'abc', true],
    ['<any>b<any>', 'aac', false],
    ['a<any>', '<any>b', true],
    ['a<any>b', 'b<any>a', false],
    ['<segment>', 'abc', true],
    ['<segment>', '', true],
    ['<segment>', 'a/b', false],
    ['<segment>/<segment>', 'a/b', true],
    ['<segment>', '<any>/<any>', false],
    ['<digits>', '123', true],
    ['<digits>', '-1', true],
    ['<digits>', '1a', false],
    ['a<digits>', 'a', true],
    ['<one>', 'a', true],
    ['<one>', '', false],
    ['<one>', 'ab', false],
    ['<one>', '/', false],
    ['<one>', '.', true],
    ['<one-not-dot>', '.', false],
    ['<one-not-dot>', '/', false],
    ['<one-not-dot>', 'a', true],
    ['<one-not-dot><segment>', '.env', false],
    ['.<one><segment>', '.env', true],
    ['<one>', '<one-not-dot>', true],
    ['😀<one>', '😀a', true],
  ])('%j and %j have a text in common: %s', (a, b, meet) => {
    expect(canMeet(shape(a), shape(b))).toBe(meet)
    expect(canMeet(shape(b), shape(a))).toBe(meet)
  })
})

it('a shape has a text if no part of it is open', () => {
  expect(exactText([])).toBe('')
  expect(exactText([{ text: 'a' }, { text: 'b' }])).toBe('ab')
  expect(exactText([{ text: 'a' }, { hole: 'any' }])).toBeUndefined()
})

it('a pattern has a hole for each star', () => {
  expect(wildcardShape('a*b*')).toEqual([{ text: 'a' }, { hole: 'any' }, { text: 'b' }, { hole: 'any' }])
  expect(wildcardShape('*', 'segment')).toEqual([{ hole: 'segment' }])
  expect(wildcardShape('')).toEqual([])
})
