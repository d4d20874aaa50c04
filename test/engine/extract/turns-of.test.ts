import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { turnsOf } from '../../../src/engine/extract/statements.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const itemsOf = (...messages: Message[]) => viewOf(logOf(messages)).items.slice()

describe('the turns of a span', () => {
  it('are what was asked, what was said, and the last word', () => {
    const turns = turnsOf(itemsOf(user('a'), assistant('on it'), call('x'), result('x'), assistant('done'), user('b')))
    expect(turns).toMatchObject([
      { seq: 1, asked: 'a', said: [{ text: 'on it' }, { text: 'done' }], closing: { seq: 5, text: 'done' }, calls: 1 },
      { seq: 6, asked: 'b', said: [], calls: 0 },
    ])
    expect(turns[1]).not.toHaveProperty('closing')
  })

  it('are not finished while a call came last', () => {
    expect(turnsOf(itemsOf(user('a'), assistant('on it'), call('x'), result('x')))[0]).not.toHaveProperty('closing')
  })

  it('end with the last word if the next request is not among the items', () => {
    const items = itemsOf(user('a'), assistant('done'), user('b'), call('x'), result('x'))
    const turns = turnsOf(items.filter(({ seq }) => seq !== 3))
    expect(turns).toMatchObject([
      { seq: 1, closing: { text: 'done' } },
      { seq: 4, asked: '', calls: 1 },
    ])
    // Agents that write a text and a call as two messages have not ended a turn between them.
    expect(turnsOf(itemsOf(user('a'), assistant('on it'), call('x'), result('x')))).toHaveLength(1)
  })

  it('begin with one that asked nothing if the user did not speak first', () => {
    expect(turnsOf(itemsOf(assistant('hello'), user('a')))).toMatchObject([
      { seq: 1, asked: '' },
      { seq: 2, asked: 'a' },
    ])
  })
})
