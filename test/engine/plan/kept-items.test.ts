import { expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { keptItems } from '../../../src/engine/plan/kept-items.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const messages = [user('a'), call('x'), result('x'), user('b'), assistant('c'), assistant('d')]
const log = logOf(messages)
const pinned = (...targets: number[]) =>
  viewOf(
    appended(
      log,
      targets.map((target) => ({ type: 'pin', target, on: true })),
    ),
  )
const seqs = (view: ReturnType<typeof viewOf>, cut: number, keepLatestMessage = true) =>
  keptItems(view, cut, { keepLatestMessage }).map((item) => item.seq)

it('the latest message of the user is kept if it is before the cut', () => {
  expect(seqs(viewOf(log), 5)).toEqual([4])
  expect(seqs(viewOf(log), 4)).toEqual([4])
  expect(seqs(viewOf(log), 3)).toEqual([])
})

it('the latest message of the user is not kept if the policy does not say so', () => {
  expect(seqs(viewOf(log), 5, false)).toEqual([])
  expect(seqs(pinned(1), 5, false)).toEqual([1])
})

it('nothing is kept if the user said nothing', () => {
  expect(seqs(viewOf(logOf([assistant('a'), assistant('b')])), 2)).toEqual([])
})

it('pinned steps are kept beside it, in their order', () => {
  expect(seqs(pinned(3), 5)).toEqual([2, 3, 4])
  expect(seqs(pinned(5), 5)).toEqual([4, 5])
  expect(seqs(pinned(6), 5)).toEqual([4])
})
