import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { pinnedSteps, pinnedTokens } from '../../../src/engine/plan/kept-items.ts'
import type { Message, View } from '../../../src/model/types.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { sizesOf } from '../../../src/tokens/sizes.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const thinks: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }
const messages = [user('a'), thinks, call('x'), result('x', 'word'.repeat(50)), assistant('b'), user('c')]
const viewWith = (...targets: number[]) =>
  viewOf(
    appended(
      logOf(messages),
      targets.map((target) => ({ type: 'pin', target, on: true })),
    ),
  )
/** The entries of the steps. */
const stepsOf = (view: View, end: number) => [...pinnedSteps(view, end)].map((index) => view.items.at(index)?.seq)
const steps = (targets: number[], end = messages.length) => stepsOf(viewWith(...targets), end)
const tokens = (...targets: number[]) =>
  pinnedTokens(viewWith(...targets), sizesOf(viewWith(...targets).items, charactersByFour))

describe('the pinned steps', () => {
  it('are none if nothing is pinned', () => {
    expect(steps([])).toEqual([])
  })

  it.each([
    [1, [1]],
    [2, [2, 3, 4]],
    [3, [2, 3, 4]],
    [4, [2, 3, 4]],
    [5, [5]],
    [6, [6]],
  ])('of message %i are those that belong together', (target, expected) => {
    expect(steps([target])).toEqual(expected)
  })

  it('begin with the first message if that is the call', () => {
    const log = appended(logOf([call('x'), result('x'), user('a')]), [{ type: 'pin', target: 2, on: true }])
    expect(stepsOf(viewOf(log), 3)).toEqual([1, 2])
  })

  it('are each there once', () => {
    expect(steps([1, 3, 4, 6])).toEqual([1, 2, 3, 4, 6])
  })

  it('end at the given place', () => {
    expect(steps([1, 5, 6], 5)).toEqual([1, 5])
    expect(steps([6], 5)).toEqual([])
  })
})

it('the tokens of what is pinned are those of the whole steps', () => {
  expect(tokens()).toBe(0)
  expect(tokens(4, 5)).toBeGreaterThan(50)
  expect(tokens(4)).toBe(tokens(2))
})
