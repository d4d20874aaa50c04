import { expect, it } from 'vitest'
import type { ProtocolName } from '../support/model-server/index.ts'
import { requestProblems } from '../support/model-server/request-problems.ts'

const user = { role: 'user', content: 'Go on' }
const mark = { cache_control: { type: 'ephemeral' } }
const marked = { role: 'user', content: Array.from({ length: 5 }, () => ({ type: 'text', text: 'Hello', ...mark })) }

/** A body that the provider takes, and bodies that it refuses with the words that the answer has. */
const BODIES: Readonly<Record<ProtocolName, { good: object; bad: readonly (readonly [object, string])[] }>> = {
  anthropic: {
    good: { model: 'm', max_tokens: 100, messages: [user] },
    bad: [
      [
        {
          model: 'm',
          max_tokens: 100,
          messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }],
        },
        'unexpected `tool_use_id`',
      ],
      [{ model: 'm', max_tokens: 100, messages: [marked] }, 'A maximum of 4 blocks with cache_control'],
      [
        { model: 'm', max_tokens: 100, messages: [{ role: 'assistant', content: 'Hm' }, user] },
        'first message must use',
      ],
    ],
  },
  chat: {
    // Open models refuse such a system message; OpenAI does not.
    good: { model: 'm', messages: [user, { role: 'system', content: 'Be brief' }] },
    bad: [
      [{ model: 'm', messages: [user, { role: 'tool', tool_call_id: 'a', content: 'x' }] }, 'must be a response to'],
      [
        {
          model: 'm',
          messages: [
            user,
            {
              role: 'assistant',
              tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
            },
          ],
        },
        'did not have response messages: a',
      ],
    ],
  },
  responses: {
    good: { model: 'm', input: [user], tools: [{ type: 'web_search' }, { type: 'custom', name: 'apply_patch' }] },
    bad: [
      [
        { model: 'm', input: [user, { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }] },
        'No tool output found for function call a',
      ],
      [{ model: 'm', input: [user, { type: 'compaction', encrypted_content: 'pith:x' }] }, 'input.1'],
    ],
  },
  google: {
    good: { contents: [{ role: 'user', parts: [{ text: 'Go on' }] }] },
    bad: [
      [
        { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }] },
        'function response turn comes immediately after a function call turn',
      ],
      [{ contents: [{ role: 'model', parts: [{ text: 'Hm' }] }] }, 'the first content is of role user'],
    ],
  },
}

it.each(Object.entries(BODIES))('lists what %s would refuse, and nothing else', (name, { good, bad }) => {
  const problems = (body: object) => requestProblems(name as ProtocolName, body, '/v1beta/models/m:generateContent')
  expect(problems(good)).toEqual([])
  for (const [body, words] of bad) expect(problems(body).join('\n')).toContain(words)
})
