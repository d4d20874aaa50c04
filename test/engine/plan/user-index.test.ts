import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { firstUserIndex, lastUserIndex } from '../../../src/engine/plan/user-index.ts'
import { assistant, user } from '../../support/messages.ts'

const { items } = viewOf(logOf([assistant('a'), user('b'), assistant('c'), user('d'), assistant('e')]))

it('the last message of the user is searched among the first items', () => {
  expect([0, 1, 2, 3, 4, 5].map((count) => lastUserIndex(items, count))).toEqual([-1, -1, 1, 1, 3, 3])
})

it('the first message of the user is searched among the first items', () => {
  expect([0, 1, 2, 3, 4, 5].map((count) => firstUserIndex(items, count))).toEqual([-1, -1, 1, 1, 1, 1])
})

it('nobody has said what is asked for beyond the view', () => {
  expect(lastUserIndex(items, 6)).toBe(-1)
})
