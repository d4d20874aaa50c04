import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { type AssistantMessage, type Message, messagesOf, type RepairChange } from '../../../../src/model/types.ts'
import { call, result, user } from '../../../support/messages.ts'

const texts = (...said: string[]): AssistantMessage => ({
  role: 'assistant',
  content: said.map((text) => ({ type: 'text', text })),
})
const repaired = (messages: readonly Message[], ...changes: RepairChange[]) =>
  messagesOf(viewOf(appended(logOf(messages), [{ type: 'repair', changes }])))
const dropPart = (seq: number, part: number): RepairChange => ({ op: 'drop-part', seq, part, why: 'x' })

describe('the steps of a repair', () => {
  it('take parts out by the numbers that they then have', () => {
    const messages = [user('a'), texts('0', '1', '2', '3')]
    expect(repaired(messages, dropPart(2, 3), dropPart(2, 1))).toEqual([user('a'), texts('0', '2')])
    expect(repaired(messages, dropPart(2, 1), dropPart(2, 1))).toEqual([user('a'), texts('0', '3')])
    expect(repaired(messages, dropPart(2, 0), dropPart(2, 2))).toEqual([user('a'), texts('1', '2')])
  })

  it('drop a message that has no parts left', () => {
    expect(repaired([user('a'), texts('0', '1')], dropPart(2, 1), dropPart(2, 0))).toEqual([user('a')])
  })

  it('drop whole messages, also one that was changed before', () => {
    const messages = [user('a'), texts('0', '1'), user('b')]
    const drop: RepairChange = { op: 'drop-message', seq: 2, why: 'x' }
    expect(repaired(messages, drop)).toEqual([user('a'), user('b')])
    expect(repaired(messages, dropPart(2, 1), drop)).toEqual([user('a'), user('b')])
  })

  it('change nothing if there is no such part', () => {
    const messages = [user('a'), texts('0', '1'), call('x'), result('x')]
    const moves = (from: number, part: number): RepairChange => ({ op: 'move-result', seq: 3, from, part, why: 'x' })
    const rename = (seq: number, part: number): RepairChange => ({
      op: 'rename-call',
      seq,
      part,
      toolCallId: 'y',
      why: 'x',
    })
    for (const change of [dropPart(1, 0), dropPart(2, 2), dropPart(9, 0), moves(2, 0), moves(4, 1), moves(9, 0)]) {
      expect(repaired(messages, change)).toEqual(messages)
    }
    for (const change of [rename(1, 0), rename(2, 0), rename(3, 1), rename(9, 0)]) {
      expect(repaired(messages, change)).toEqual(messages)
    }
  })

  it('rename a call and its result', () => {
    const rename = (seq: number): RepairChange => ({ op: 'rename-call', seq, part: 0, toolCallId: 'y', why: 'x' })
    const [, called, answered] = repaired([user('a'), call('x'), result('x')], rename(2), rename(3))
    expect(called?.content).toMatchObject([{ toolCallId: 'y', toolName: 'read' }])
    expect(answered?.content).toMatchObject([{ toolCallId: 'y', toolName: 'read' }])
  })

  it('move a result to right after its call', () => {
    const messages = [call('x'), user('a'), result('x')]
    const move: RepairChange = { op: 'move-result', seq: 1, from: 3, part: 0, why: 'x' }
    expect(repaired(messages, move)).toEqual([call('x'), result('x'), user('a')])
  })
})
