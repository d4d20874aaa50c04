import { expect, it } from 'vitest'
import { containing, folded, searchable, storable } from '../../../src/store/postgres/connection.ts'

it('a name keeps its length if PostgreSQL cannot hold a character', () => {
  expect(storable('a\0b\ud800c😀')).toBe('a\ufffdb\ufffdc😀')
})

it('a text to search in has no such characters, and no case', () => {
  expect(searchable('A\0b\ud800c😀')).toBe('Abc😀')
  expect(folded('A\0BÄ')).toBe('abä')
})

it('a pattern finds signs that mean something in it as they are', () => {
  expect(containing('50%_\\A')).toBe('%50\\%\\_\\\\a%')
})
