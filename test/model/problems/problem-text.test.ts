import { expect, it } from 'vitest'
import { wrongType } from '../../../src/model/problems/problem-text.ts'

it('a text instead of a number is described without the words of the language', () => {
  expect(wrongType('number', Number('x'))).toBe('must be a number')
  expect(wrongType('number', [])).toBe('must be a number, not a list')
})
