import { expect, it } from 'vitest'
import { checkMessages } from '../../../src/model/problems/check-arguments.ts'
import { call, result, turns, user } from '../../support/messages.ts'

it.each<[string, unknown, RegExp]>([
  ['nothing', null, /message 2: is null, not a message/],
  ['a text', 'hello', /is a string, not a message/],
  ['without a role', { content: 'x' }, /role: is missing/],
  ['of another role', { role: 'owner', content: 'x' }, /role: is `owner`, not system, user, assistant or tool/],
  ['without content', { role: 'user' }, /content: is missing, not a text or a list of parts/],
  ['with null for content', { role: 'assistant', content: null }, /message 2: content: is null, not a text/],
  ['with a text for the content of a tool', { role: 'tool', content: 'x' }, /content: a tool message has a list/],
  ['with parts for a system message', { role: 'system', content: [] }, /a system message has a text/],
  ['with nothing for a part', { role: 'user', content: [null] }, /content\.0: is null, not a part/],
  ['with a text without text', { role: 'user', content: [{ type: 'text' }] }, /content\.0: text: is missing/],
  [
    'with a call in the user’s role',
    { role: 'user', content: [{ type: 'tool-call' }] },
    /not a part of a message with role user/,
  ],
  [
    'with a result without output',
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'b', result: 'x' }] },
    /content\.0: output: is missing/,
  ],
  ['with a block of Anthropic', { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] }, /fromAnthropic\(\)/],
  ['with an image of Anthropic', { role: 'user', content: [{ type: 'image', source: {} }] }, /fromAnthropic\(\)/],
  ['with a block of OpenAI', { role: 'user', content: [{ type: 'image_url' }] }, /fromOpenAIChat\(\)/],
  ['of Chat Completions', { role: 'assistant', content: null, tool_calls: [] }, /fromOpenAIChat\(\)/],
  ['an item of Responses', { type: 'function_call_output', call_id: 'a' }, /fromOpenAIResponses\(\)/],
  ['of Google', { role: 'model', parts: [{ text: 'x' }] }, /shape of another SDK/],
])('a message that is %s is refused in one line', (_, wrong, line) => {
  expect(() => checkMessages([user('a'), wrong])).toThrow(line)
  expect(() => checkMessages([user('a'), wrong])).not.toThrow(/\n/)
})

it('a value that is not a list is refused', () => {
  expect(() => checkMessages('hello' as unknown as [])).toThrow(/messages: is not a list/)
})

it('messages in order pass', () => {
  expect(() => checkMessages([...turns(3), call('a'), result('a')])).not.toThrow()
})
