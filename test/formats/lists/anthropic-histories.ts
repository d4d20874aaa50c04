import fc from 'fast-check'
import { constant, DATA, each, historiesOf, some, text, words } from './valid-histories.ts'

const cached = { cache_control: { type: 'ephemeral' } }
const image = constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } })
const pdf = constant({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } })
const thinking = fc.constantFrom(
  [],
  [{ type: 'thinking', thinking: 'hm', signature: 'c2ln' }],
  [{ type: 'thinking', thinking: '', signature: 'c2ln' }],
  [{ type: 'redacted_thinking', data: 'c2ln' }],
)
const searched = (id: string) => [
  { type: 'server_tool_use', id, name: 'web_search', input: { query: 'a' } },
  { type: 'web_search_tool_result', tool_use_id: id, content: [] },
]

export const anthropicHistories = historiesOf({
  asides: fc.record({ role: fc.constant('system'), content: fc.oneof(words, some(text)) }),
  asks: fc.record({
    role: fc.constant('user'),
    content: fc.oneof(words, some(text, image, pdf, constant({ type: 'container_upload', file_id: 'f' }))),
  }),
  step: (ids) =>
    fc
      .tuple(
        thinking,
        fc.option(text, { nil: undefined }),
        each(ids, (id) => constant({ type: 'tool_use', id, name: 'read', input: {}, ...cached })),
        each(ids, (id) =>
          fc.oneof(fc.constant(undefined), words, some(text, image)).map((content) => ({
            type: 'tool_result',
            tool_use_id: id,
            ...(content === undefined ? {} : { content }),
          })),
        ),
        fc.option(text, { nil: undefined }),
      )
      .map(([before, said, calls, results, more]) => [
        { role: 'assistant', content: [...before, ...(said ? [said] : []), ...calls] },
        { role: 'user', content: [...results, ...(more ? [more] : [])] },
      ]),
  answers: (id) =>
    fc
      .tuple(thinking, fc.constantFrom([], searched(id)), some(text))
      .map(([before, search, said]) => [{ role: 'assistant', content: [...before, ...search, ...said] }]),
})
