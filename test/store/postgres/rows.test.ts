import { expect, it } from 'vitest'
import { limitOf } from '../../../src/store/postgres/connection.ts'
import { pageOf, sessionFrom } from '../../../src/store/postgres/rows.ts'
import { storedEntry } from '../../../src/store/stored-entry.ts'
import { user } from '../../support/messages.ts'

const COLUMNS = {
  id: 's',
  place: 1,
  owner: 'ann',
  workspace: '/repo',
  title: null,
  parent_id: null,
  parent_seq: null,
  created_at: 1,
  updated_at: 2,
  last_seq: 3,
  revision: 0,
}

it('a row of a session has neither a title nor a parent where it says none', () => {
  const { title, parent, ...rest } = sessionFrom(COLUMNS)
  expect({ title, parent }).toEqual({ title: undefined, parent: undefined })
  expect(rest).toEqual({
    id: 's',
    owner: 'ann',
    workspace: '/repo',
    createdAt: 1,
    updatedAt: 2,
    lastSeq: 3,
    revision: 0,
  })
  expect(sessionFrom({ ...COLUMNS, title: 'T', parent_id: 'p', parent_seq: 4 })).toMatchObject({
    title: 'T',
    parent: { id: 'p', seq: 4 },
  })
})

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
