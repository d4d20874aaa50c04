import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { openCalls, openCallTotals } from '../../../src/engine/plan/open-calls.ts'
import type { Message, ToolCallPart } from '../../../src/model/message/message.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const itemsOf = (messages: readonly Message[]) => viewOf(logOf(messages)).items
const totals = (...messages: Message[]) => Array.from(openCallTotals(itemsOf(messages)))
const callPart = (toolCallId: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input: {},
  ...more,
})
const calls = (...ids: string[]): Message => ({ role: 'assistant', content: ids.map((id) => callPart(id)) })

it('a call is open until its result', () => {
  expect(totals(user('a'), call('x'), assistant('b'), result('x'), user('c'))).toEqual([0, 0, 1, 1, 0, 0])
})

it('parallel calls are open one by one, whichever result comes first', () => {
  expect(totals(calls('x', 'y', 'z'), result('x'), result('y'), result('z'))).toEqual([0, 3, 2, 1, 0])
  expect(totals(calls('x', 'y', 'z'), result('z'), result('y'), result('x'))).toEqual([0, 3, 2, 1, 0])
})

it('a call that is made twice is open once', () => {
  expect(totals(calls('x', 'x'), result('x'))).toEqual([0, 1, 0])
  expect(totals(calls('x', 'y'), result('x'), calls('y', 'z'), result('y'), result('z'))).toEqual([0, 2, 1, 2, 1, 0])
})

it('a result without a call changes nothing', () => {
  expect(totals(result('x'), call('y'), result('x'), result('y'))).toEqual([0, 0, 1, 1, 0])
})

it('a call that the provider answers is not waited for, and a result beside its call closes it', () => {
  expect(totals({ role: 'assistant', content: [callPart('x', { providerExecuted: true })] })).toEqual([0, 0])
  const both: Message = {
    role: 'assistant',
    content: [
      callPart('x'),
      { type: 'tool-result', toolCallId: 'x', toolName: 'read', output: { type: 'text', value: 'ok' } },
    ],
  }
  expect(totals(both)).toEqual([0, 0])
})

it('the calls among the first items are counted', () => {
  const items = itemsOf([call('x'), result('x'), call('y')])
  expect([0, 1, 2, 3].map((count) => openCalls(items, count))).toEqual([0, 1, 0, 1])
})
