import { describe, expect, it } from 'vitest'
import { cutText, serialize, serializeAll } from '../../../src/engine/record/serialize.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const uncut = { cutCharacters: 0 }
const text = (message: Message, options = uncut) => serialize(message, options)

describe('a message as text for a summariser', () => {
  it.each<[string, Message, string]>([
    ['of the user', user('hi'), '[User]: hi'],
    ['of the assistant', assistant('hello'), '[Assistant]: hello'],
    ['of the system', { role: 'system', content: 'be brief' }, '[System]: be brief'],
    ['that calls a tool', call('x', 'read', { path: 'a.ts' }), '[Tool call: read({"path":"a.ts"})]'],
    ['that brings a result', result('x', 'ok'), '[Tool result]: ok'],
    ['that thinks', { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }, '[Thinking]: hm'],
    ['with an image', { role: 'user', content: [{ type: 'image', image: 'aGk=' }] }, '[User]: [image]'],
    [
      'with a file',
      { role: 'user', content: [{ type: 'file', data: 'aGk=', filename: 'a.pdf', mediaType: 'application/pdf' }] },
      '[User]: [file a.pdf, application/pdf]',
    ],
    [
      'that refuses a call',
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: false, reason: 'no!' }] },
      '[Tool result]: the user refused the call: no!',
    ],
    ['that says nothing', assistant(''), ''],
  ])('%s has its label', (_, message, expected) => {
    expect(text(message)).toBe(expected)
  })

  it('has one paragraph a part, in order', () => {
    const message: Message = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'I look' },
        { type: 'tool-call', toolCallId: 'x', toolName: 'ls', input: {} },
      ],
    }
    expect(text(message)).toBe('[Thinking]: hm\n\n[Assistant]: I look\n\n[Tool call: ls({})]')
  })

  it('has results of every kind', () => {
    const outputs: Message = {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 't', output: { type: 'error-text', value: 'boom' } },
        { type: 'tool-result', toolCallId: 'b', toolName: 't', output: { type: 'json', value: { ok: true } } },
        {
          type: 'tool-result',
          toolCallId: 'c',
          toolName: 't',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'seen' },
              { type: 'image-url', url: 'https://example.com/a.png' },
            ],
          },
        },
        { type: 'tool-result', toolCallId: 'd', toolName: 't', output: { type: 'execution-denied', reason: 'no' } },
      ],
    }
    const serialized = text(outputs)
    for (const said of ['boom', '{"ok":true}', 'seen', 'no']) expect(serialized).toContain(`[Tool result]: ${said}`)
  })

  it('cuts results, arguments and reasoning, and says by how much', () => {
    const options = { cutCharacters: 10 }
    const long = 'x'.repeat(25)
    expect(text(result('x', long), options)).toBe(`[Tool result]: ${'x'.repeat(10)}\n[...15 chars truncated]`)
    expect(text(call('x', 'write', long), options)).toBe(
      `[Tool call: write("${'x'.repeat(9)}\n[...17 chars truncated]\n)]`,
    )
    expect(text({ role: 'assistant', content: [{ type: 'reasoning', text: long }] }, options)).toContain('[...15 chars')
  })

  it('never cuts what the user or the assistant said', () => {
    const long = 'x'.repeat(5_000)
    expect(text(user(long), { cutCharacters: 10 })).toBe(`[User]: ${long}`)
    expect(text(assistant(long), { cutCharacters: 10 })).toBe(`[Assistant]: ${long}`)
  })

  it('is joined with the others by empty lines, the empty ones left out', () => {
    expect(serializeAll([user('a'), assistant(''), assistant('b')], uncut)).toBe('[User]: a\n\n[Assistant]: b')
  })
})

describe('a cut text', () => {
  it('is whole up to the limit, and with no limit at all', () => {
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('abc', 0)).toBe('abc')
    expect(cutText('abcd', 3)).toBe('abc\n[...1 chars truncated]')
  })

  it('does not end in half a surrogate pair', () => {
    expect(cutText('a😀b', 2)).toBe('a\n[...3 chars truncated]')
  })
})
