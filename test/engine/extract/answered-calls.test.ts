import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { answeredCalls, type OpenCalls } from '../../../src/engine/extract/item-facts.ts'
import { callsOf, type Message, resultsOf } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

/** The ids that each message answers, with the entries of their calls; and the calls that are open in the end. */
function answersOf(...messages: Message[]) {
  const open: OpenCalls = new Map()
  const answers = viewOf(logOf(messages))
    .items.slice()
    .map((item) => answeredCalls(item, open).map((one) => `${one.call.toolCallId} of ${one.seq} in ${one.item.seq}`))
  return { answers, open: [...open.keys()] }
}

it('a result answers the call that was made before', () => {
  expect(answersOf(user('a'), call('x'), result('x'))).toEqual({ answers: [[], [], ['x of 2 in 3']], open: [] })
})

it('a call stays open until it is answered, once', () => {
  expect(answersOf(call('x'), call('y'), result('y'), assistant('b'))).toEqual({
    answers: [[], [], ['y of 2 in 3'], []],
    open: ['x'],
  })
  expect(answersOf(call('x'), result('x'), result('x')).answers).toEqual([[], ['x of 1 in 2'], []])
})

it('a result without a call answers nothing, but the others of its message do', () => {
  const results: Message = { role: 'tool', content: [...resultsOf(result('z')), ...resultsOf(result('x'))] }
  expect(answersOf(call('x'), results).answers).toEqual([[], ['x of 1 in 2']])
})

it('a message may have a call with its result', () => {
  const both: Message = { role: 'assistant', content: [...callsOf(call('x')), ...resultsOf(result('x'))] }
  expect(answersOf(both)).toEqual({ answers: [['x of 1 in 1']], open: [] })
})

it('a message of the user in parts answers nothing', () => {
  const said: Message = { role: 'user', content: [{ type: 'text', text: 'a' }] }
  expect(answersOf(call('x'), said)).toEqual({ answers: [[], []], open: ['x'] })
})
