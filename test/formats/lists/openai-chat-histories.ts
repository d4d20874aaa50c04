import fc from 'fast-check'
import { constant, DATA, each, historiesOf, some, text, words } from './valid-histories.ts'

const chatPart = fc.oneof(
  text,
  constant({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }),
  constant({ type: 'input_audio', input_audio: { data: DATA, format: 'wav' } }),
  constant({ type: 'file', file: { file_id: 'f' } }),
)

export const openAIChatHistories = historiesOf({
  asides: fc.record({ role: fc.constantFrom('system', 'developer'), content: fc.oneof(words, some(text)) }),
  asks: fc.record({ role: fc.constant('user'), content: fc.oneof(words, some(chatPart)) }),
  step: (ids) =>
    fc
      .tuple(
        fc.oneof(fc.constant(null), fc.constant(''), words),
        each(ids, (id) =>
          fc.oneof(
            constant({ id, type: 'function', function: { name: 'read', arguments: '{}' } }),
            constant({ id, type: 'custom', custom: { name: 'run', input: 'ls' } }),
          ),
        ),
        each(ids, (id) =>
          fc.oneof(fc.constant(''), words, some(text)).map((content) => ({ role: 'tool', tool_call_id: id, content })),
        ),
      )
      .map(([content, tool_calls, results]) => [{ role: 'assistant', content, tool_calls }, ...results]),
  answers: () =>
    fc
      .oneof(
        fc.record({ role: fc.constant('assistant'), content: fc.oneof(words, some(text)) }),
        constant({ role: 'assistant', content: null, refusal: 'no' }),
        constant({ role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }),
        constant({ role: 'assistant', audio: { id: 'a' } }),
      )
      .map((item) => [item]),
})
