import { describe, expect, it } from 'vitest'
import { interruptedResults, openCallsOf } from '../../src/agent/interruption.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import type { Message } from '../../src/model/types.ts'
import { assistant, call, result, user } from '../support/messages.ts'

const open = (...messages: Message[]) =>
  openCallsOf(
    viewOf(messages.map((message, i) => ({ id: `e${i}`, seq: i + 1, at: 0, type: 'message' as const, message }))),
  ).map(({ toolCallId }) => toolCallId)

describe('the calls without a result', () => {
  const two: Message = {
    role: 'assistant',
    content: ['a', 'b'].map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'bash', input: {} })),
  }

  it('are those of the last answer', () => {
    expect(open(user('x'), two)).toEqual(['a', 'b'])
    expect(open(user('x'), two, result('a', 'done', 'bash'))).toEqual(['b'])
    expect(open(user('x'), two, result('b', 'done', 'bash'), result('a', 'done', 'bash'))).toEqual([])
    expect(open(user('x'), call('c', 'bash', {}), result('c', 'done', 'bash'), two)).toEqual(['a', 'b'])
  })

  it('are none if something was said since, or nothing was called', () => {
    expect(open()).toEqual([])
    expect(open(user('x'), assistant('y'))).toEqual([])
    expect(open(user('x'))).toEqual([])
  })

  it('are not those that the provider runs itself', () => {
    const own: Message = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'p', toolName: 'search', input: {}, providerExecuted: true }],
    }
    expect(open(user('x'), own)).toEqual([])
  })
})

it('calls without a known end get an error each, in one message', () => {
  const calls = ['a', 'b'].map((toolCallId) => ({
    type: 'tool-call' as const,
    toolCallId,
    toolName: 'bash',
    input: {},
  }))
  const output = { type: 'error-text', value: 'lost' }
  expect(interruptedResults(calls, 'lost')).toEqual([
    {
      type: 'message',
      message: {
        role: 'tool',
        content: ['a', 'b'].map((toolCallId) => ({ type: 'tool-result', toolCallId, toolName: 'bash', output })),
      },
    },
  ])
  expect(interruptedResults([], 'lost')).toEqual([])
})
