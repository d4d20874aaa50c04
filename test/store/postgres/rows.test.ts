import { expect, it } from 'vitest'
import { limitOf, pageOf } from '../../../src/store/postgres/connection.ts'
import { storedEntry } from '../../../src/store/rows/stored-entry.ts'
import { user } from '../../support/messages.ts'

it('rows that cannot be read are set aside with their numbers and ids', () => {
  const entry = { type: 'message' as const, message: user('hello'), id: 'one', seq: 1, at: 1 }
  const rows = [
    { ...storedEntry(entry), seq: 1, id: 'one' },
    { body: '{', facts: null, seq: 2, id: 'two' },
  ]
  expect(pageOf(rows)).toEqual({ entries: [entry], bad: [{ seq: 2, id: 'two', reason: expect.any(String) }] })
})

it('a limit is a whole number that PostgreSQL takes', () => {
  expect([limitOf(2.9, 1), limitOf(-3, 1), limitOf(0, 0), limitOf(1e20, 1)]).toEqual([2, 1, 0, 2 ** 31])
})
