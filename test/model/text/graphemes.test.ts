import { expect, it } from 'vitest'
import { graphemes } from '../../../src/model/text.ts'

it('an emoji of several code points and a letter with its accent are one character each', () => {
  expect(Array.from(graphemes('a👩‍👩‍👧e\u0301!'), ({ segment }) => segment)).toEqual(['a', '👩‍👩‍👧', 'e\u0301', '!'])
})
