import { expect, it } from 'vitest'
import { appended, logOf, nextEntry } from '../../../../src/engine/context/view/log.ts'
import { assistant, user } from '../../../support/messages.ts'

const draft = { type: 'message' as const, message: user('a') }

it('entries are numbered from 1, and have the time of the one before', () => {
  expect(nextEntry([], draft)).toEqual({ ...draft, id: 'e1', seq: 1, at: 0 })
  expect(nextEntry([{ ...draft, id: 'x', seq: 7, at: 500 }], draft)).toEqual({ ...draft, id: 'e8', seq: 8, at: 500 })
})

it('ids and times come from the caller, who may say that it is midnight', () => {
  const log = [{ ...draft, id: 'x', seq: 7, at: 500 }]
  expect(nextEntry(log, draft, { ids: () => 'own', clock: () => 0 })).toEqual({ ...draft, id: 'own', seq: 8, at: 0 })
})

it('a log is appended to in order, and not changed', () => {
  const log = logOf([user('a')], { clock: () => 5 })
  const longer = appended(log, [draft, { type: 'message', message: assistant('b') }], { ids: () => 'own' })
  expect(longer.map(({ id, seq, at }) => ({ id, seq, at }))).toEqual([
    { id: 'e1', seq: 1, at: 5 },
    { id: 'own', seq: 2, at: 5 },
    { id: 'own', seq: 3, at: 5 },
  ])
  expect(longer[2]).toMatchObject({ message: assistant('b') })
  expect(log).toHaveLength(1)
})
