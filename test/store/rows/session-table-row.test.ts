import { expect, it } from 'vitest'
import { sessionFrom } from '../../../src/store/rows/table-rows.ts'

const COLUMNS = {
  id: 's',
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

it('a row of a session has neither a title nor a parent if it names none', () => {
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
