import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asText } from '../../../src/engine/record/serialize.ts'
import type { Message } from '../../../src/model/types.ts'
import { history } from '../../support/arbitrary-history.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const uncut = { cutCharacters: 0 }

describe('messages for a request without tools', () => {
  it('have calls and results as text, a result as the user’s turn', () => {
    expect(asText([user('a'), call('x', 'ls', {}), result('x', 'ok'), assistant('done')], uncut)).toEqual([
      user('a'),
      assistant('[Tool call: ls({})]'),
      user('[Tool result]: ok'),
      assistant('done'),
    ])
  })

  it('have what was said without a label, beside the calls', () => {
    const message: Message = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'I look' },
        { type: 'tool-call', toolCallId: 'x', toolName: 'ls', input: {} },
      ],
    }
    expect(asText([message], uncut)).toEqual([assistant('I look\n\n[Tool call: ls({})]')])
  })

  it('have no system message among them: it is the user’s turn', () => {
    expect(asText([{ role: 'system', content: 'summary' }], uncut)).toEqual([user('summary')])
  })

  it('name an image instead of sending it', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', image: 'aGk=' },
      ],
    }
    expect(asText([message], uncut)).toEqual([user('look\n\n[User]: [image]')])
  })

  it('leave out what says nothing', () => {
    const silent: Message[] = [user(' '), { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }]
    expect(asText(silent, uncut)).toEqual([])
  })

  it('cut tool output as the policy says', () => {
    expect(asText([result('x', 'abcdef')], { cutCharacters: 3 })).toEqual([
      user('[Tool result]: abc\n[...3 chars truncated]'),
    ])
  })

  it('are plain texts of user and assistant for any history', () => {
    fc.assert(
      fc.property(history, (messages) => {
        for (const { role, content } of asText(messages, uncut)) {
          expect(['user', 'assistant']).toContain(role)
          expect(typeof content === 'string' && content.trim() !== '').toBe(true)
        }
      }),
    )
  })
})
