import { describe, expect, it } from 'vitest'
import { messagesRequest, textRequest } from '../../../../src/engine/compact/ask/summarize.ts'
import { enclose } from '../../../../src/engine/record/escape.ts'
import { promptsOf } from '../../../../src/engine/record/prompts/prompts-of.ts'
import { policyOf } from '../../../../src/model/policy/presets.ts'
import { assistant, user } from '../../../support/messages.ts'

const prompts = promptsOf('pith')
const parts = { prompts, instruction: 'Sum it up.', maxOutputTokens: 700 }

describe('a request that holds the conversation as a text', () => {
  const content = (more: object = {}) => textRequest('One.\n\nTwo.', { ...parts, ...more }).messages[0]?.content

  it('has the system prompt, the limit, the conversation between marks and the instruction', () => {
    expect(textRequest('One.\n\nTwo.', parts)).toEqual({
      system: prompts.system,
      maxOutputTokens: 700,
      messages: [{ role: 'user', content: `${enclose('conversation', 'One.\n\nTwo.')}\n\nSum it up.` }],
    })
  })

  it('has the conversation wherever a prompt of one’s own wants it', () => {
    expect(content({ instruction: 'A {messages} B {messages} C' })).toBe('A One.\n\nTwo. B One.\n\nTwo. C')
  })

  it('ends with the focus', () => {
    expect(content({ focus: 'the tests' })).toBe(`${content()}\n\n${prompts.focus('the tests')}`)
  })
})

describe('a request that holds the conversation as messages', () => {
  const asked = user('Sum it up.')

  it('ends with the instruction and its focus', () => {
    const history = [user('a'), assistant('b')]
    expect(messagesRequest(history, policyOf(), parts)).toEqual({
      system: prompts.system,
      maxOutputTokens: 700,
      messages: [...history, asked],
    })
    const focused = messagesRequest(history, policyOf(), { ...parts, focus: 'the tests' })
    expect(focused.messages.at(-1)).toEqual(user(`Sum it up.\n\n${prompts.focus('the tests')}`))
  })

  it('begins with the user', () => {
    const { messages } = messagesRequest([assistant('b')], policyOf(), parts)
    expect(messages).toEqual([user('The conversation:'), assistant('b'), asked])
    expect(messagesRequest([], policyOf(), parts).messages).toEqual([user('The conversation:'), asked])
  })
})
