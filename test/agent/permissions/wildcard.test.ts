import { expect, it } from 'vitest'
import { matchesWildcard } from '../../../src/agent/permissions/wildcard.ts'

it.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'ab', false],
  ['ab', 'a', false],
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'abc', true],
  ['a*', 'abc', true],
  ['*c', 'abc', true],
  ['*c', 'abcd', false],
  ['a*c', 'abcbc', true],
  ['a*b*d', 'aXbYbZd', true],
  ['*ab', 'aab', true],
  ['*aab', 'aaab', true],
  ['a**b', 'ab', true],
  ['a*', 'ba', false],
  ['*a*', 'bbb', false],
  ['x*ab*', 'xaacab', true],
  ['*😀', 'a😀', true],
])('%j matches %j: %s', (pattern, text, matches) => {
  expect(matchesWildcard(pattern, text)).toBe(matches)
})
