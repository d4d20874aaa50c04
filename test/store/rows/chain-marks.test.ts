import { expect, it } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { marksOf } from '../../../src/store/rows/new-entries.ts'
import { user } from '../../support/messages.ts'

it('each new entry is marked with the value at its place, and one without a value is not', () => {
  const entries = [7, 8, 9].map(
    (seq): Entry => ({ type: 'message', message: user('hello'), id: `id-${seq}`, seq, at: 1 }),
  )
  expect(marksOf(entries, ['a', 'b'])).toEqual([
    { value: 'a', seq: 7 },
    { value: 'b', seq: 8 },
  ])
  expect(marksOf([], ['a'])).toEqual([])
})
