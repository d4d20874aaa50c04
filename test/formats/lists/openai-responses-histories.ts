import fc from 'fast-check'
import { constant, DATA, each, historiesOf, some, words } from './valid-histories.ts'

const url = fc.constant('https://example.com/a.png')
const inputText = words.map((said) => ({ type: 'input_text', text: said }))
const inputImage = url.map((image_url) => ({ type: 'input_image', detail: 'auto', image_url }))
const inputFile = constant({ type: 'input_file', file_id: 'f' })
const inputImageFile = constant({ type: 'input_image', detail: 'auto', file_id: 'f' })
const reasoned = fc.constantFrom(
  [],
  [{ type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'c2ln' }],
  [{ type: 'reasoning', id: 'rs', summary: [] }],
  [{ type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }] }],
)

export const openAIResponsesHistories = historiesOf({
  asides: fc.oneof(
    fc.record({
      type: fc.constant('message'),
      role: fc.constantFrom('system', 'developer'),
      content: fc.oneof(words, some(inputText, inputImage, inputFile, inputImageFile)),
    }),
    constant({ type: 'item_reference', id: 'msg_1' }),
    constant({ type: 'mcp_list_tools', id: 'm', server_label: 's', tools: [] }),
  ),
  asks: fc.record({
    role: fc.constant('user'),
    content: fc.oneof(words, some(inputText, inputImage, inputFile, inputImageFile)),
  }),
  step: (ids) =>
    fc
      .tuple(
        reasoned,
        each(ids, (id) =>
          fc.oneof(
            constant([
              { type: 'function_call', call_id: id, name: 'read', arguments: '{}' },
              { type: 'function_call_output', call_id: id, output: 'text' },
            ]),
            constant([
              { type: 'function_call', call_id: id, name: 'read', arguments: '{}' },
              {
                type: 'function_call_output',
                call_id: id,
                output: [{ type: 'input_image', image_url: 'https://a.b' }],
              },
            ]),
            constant([
              { type: 'custom_tool_call', call_id: id, name: 'run', input: '' },
              { type: 'custom_tool_call_output', call_id: id, output: '' },
            ]),
            constant([
              { type: 'shell_call', call_id: id, action: { commands: ['ls'] } },
              { type: 'shell_call_output', call_id: id, output: [] },
            ]),
          ),
        ),
      )
      .map(([before, pairs]) => {
        const both = pairs as unknown as readonly (readonly [object, object])[]
        return [...before, ...both.map(([call]) => call), ...both.map(([, result]) => result)]
      }),
  answers: (id) =>
    fc
      .tuple(
        reasoned,
        fc.constantFrom<object[]>(
          [],
          [{ type: 'web_search_call', id, status: 'completed', action: { type: 'search', query: 'a' } }],
          [{ type: 'image_generation_call', id, status: 'completed', result: DATA }],
        ),
        fc.oneof(
          words.map((said) => ({ role: 'assistant', content: said })),
          words.map((said) => ({
            type: 'message',
            id: 'msg',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: said, annotations: [] }],
          })),
          constant({
            type: 'message',
            id: 'msg',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'refusal', refusal: 'no' }],
          }),
        ),
      )
      .map(([before, search, said]) => [...before, ...search, said]),
})
