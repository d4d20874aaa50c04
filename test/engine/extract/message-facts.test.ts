import { describe, expect, it } from 'vitest'
import { messageFacts } from '../../../src/engine/extract/message-facts.ts'
import type { Message, MessageItem } from '../../../src/model/types.ts'
import { assistant, result, user } from '../../support/messages.ts'

const item = (message: Message, seq = 7): MessageItem => ({ kind: 'message', seq, place: seq, message, pinned: false })

describe('what the user said', () => {
  it('is quoted, with its demands and its names', () => {
    const { users, constraints, identifiers } = messageFacts(item(user('Never touch MAX_TRIES again. Thanks!')))
    expect(users).toEqual([{ seq: 7, text: 'Never touch MAX_TRIES again. Thanks!' }])
    expect(constraints).toEqual([{ seq: 7, text: 'Never touch MAX_TRIES again.' }])
    expect(identifiers).toMatchObject([{ text: 'MAX_TRIES', seq: 7 }])
  })

  it('has each demand once, and the first twenty of them', () => {
    const demands = (count: number, different: number) =>
      Array.from({ length: count }, (_, i) => `You must never change the file number ${i % different}.`).join('\n')
    expect(messageFacts(item(user(demands(6, 2)))).constraints).toHaveLength(2)
    const many = messageFacts(item(user(demands(30, 30)))).constraints ?? []
    expect(many).toHaveLength(20)
    expect(many[0]?.text).toContain('number 0.')
  })

  it('is nothing if nothing was typed', () => {
    expect(messageFacts(item(user('  ')))).toEqual({})
  })
})

describe('what the agent said', () => {
  it('adds its names alone', () => {
    const facts = messageFacts(item(assistant('You must always call `parseZone` in src/main.ts.')))
    expect(Object.keys(facts)).toEqual(['identifiers'])
    expect(facts.identifiers?.every(({ seq }) => seq === 7)).toBe(true)
  })

  it('adds nothing if it names nothing', () => {
    expect(messageFacts(item(assistant('All is well.')))).toEqual({})
  })
})

it('the result of a tool does not count as said', () => {
  const answered = item(result('x', 'You must never touch src/main.ts.'))
  expect(messageFacts(answered)).toEqual({})
})
