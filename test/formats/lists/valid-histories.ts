import fc from 'fast-check'

/**
 * Histories that their provider accepts, in each form: no text is blank, every call has its result right after it, and reasoning
 * comes before an answer. Their parts are of every kind, also alone in a message.
 */

const words = fc.constantFrom('read the log', 'it hangs', 'fix it', 'done')
const url = fc.constant('https://example.com/a.png')
const DATA = 'iVBORw0KGgo='
const cached = { cache_control: { type: 'ephemeral' } }

/** What a turn is made of in a form. */
type Pieces = {
  /** Messages that may come between two turns, or at the front. */
  readonly asides: fc.Arbitrary<object>
  readonly asks: fc.Arbitrary<object>
  /** A step with calls: the answer, and the results of its calls. */
  readonly step: (ids: readonly string[]) => fc.Arbitrary<object[]>
  /** Items of the last answer of a turn; the id is for a call that the provider ran. */
  readonly answers: (id: string) => fc.Arbitrary<object[]>
}

type Shape = { readonly aside: boolean; readonly steps: readonly number[] }

const shapes: fc.Arbitrary<Shape[]> = fc.array(
  fc.record({ aside: fc.boolean(), steps: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }) }),
  { minLength: 1, maxLength: 3 },
)

function historiesOf({ asides, asks, step, answers }: Pieces): fc.Arbitrary<object[]> {
  return shapes.chain((turns) => {
    let calls = 0
    const ids = (count: number) => Array.from({ length: count }, () => `call_${++calls}`)
    const items = turns.flatMap(({ aside, steps }) => [
      ...(aside ? [asides.map((item) => [item])] : []),
      asks.map((item) => [item]),
      ...steps.map((count) => step(ids(count))),
      answers(`call_${++calls}`),
    ])
    return fc.tuple(...items).map((made) => made.flat())
  })
}

const each = (ids: readonly string[], one: (id: string) => fc.Arbitrary<object>) => fc.tuple(...ids.map(one))
const some = (...parts: fc.Arbitrary<object>[]) => fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 })
const constant = (value: object) => fc.constant(value).map((one) => structuredClone(one))

// ---- Anthropic

const text = words.map((said) => ({ type: 'text', text: said }))
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

// ---- OpenAI Chat Completions

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

// ---- OpenAI Responses

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

// ---- AI SDK

const options = { providerOptions: { anthropic: { signature: 'c2ln' } } }
const reasoningParts = fc.constantFrom(
  [],
  [{ type: 'reasoning', text: 'hm', ...options }],
  [{ type: 'reasoning', text: '', ...options }],
)
const filePart = constant({ type: 'file', data: DATA, mediaType: 'application/pdf' })
const output = fc.constantFrom(
  { type: 'text', value: '' },
  { type: 'json', value: null },
  { type: 'error-text', value: 'no' },
  { type: 'content', value: [{ type: 'text', text: 'a' }] },
  { type: 'execution-denied' },
)

export const modelMessageHistories = historiesOf({
  asides: fc.record({ role: fc.constant('system'), content: words }),
  asks: fc.record({
    role: fc.constant('user'),
    content: fc.oneof(words, some(text, filePart, constant({ type: 'image', image: DATA }))),
  }),
  step: (ids) =>
    fc
      .tuple(
        reasoningParts,
        each(ids, (id) => constant({ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} })),
        each(ids, (id) =>
          output.map((one) => ({ type: 'tool-result', toolCallId: id, toolName: 'read', output: one })),
        ),
        fc.boolean(),
      )
      .map(([before, calls, results, apart]) => [
        { role: 'assistant', content: [...before, ...calls] },
        ...(apart
          ? results.map((result) => ({ role: 'tool', content: [result] }))
          : [{ role: 'tool', content: results }]),
      ]),
  answers: () =>
    fc
      .tuple(reasoningParts, fc.oneof(words, some(text, filePart)))
      .map(([before, said]) => [
        { role: 'assistant', content: typeof said === 'string' ? said : [...before, ...said] },
      ]),
})

const uiFile = constant({ type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${DATA}` })
const dataPart = constant({ type: 'data-chart', data: [1] })

export const uiMessageHistories = historiesOf({
  asides: fc.record({ id: fc.constant('s'), role: fc.constant('system'), parts: some(text) }),
  asks: fc.record({ id: fc.constant('u'), role: fc.constant('user'), parts: some(text, uiFile, dataPart) }),
  step: (ids) =>
    fc
      .tuple(
        fc.constantFrom([], [{ type: 'reasoning', text: 'hm' }]),
        each(ids, (id) =>
          fc.oneof(
            constant({
              type: 'tool-read',
              toolCallId: id,
              state: 'output-available',
              input: {},
              output: { a: 1 },
            }),
            constant({
              type: 'dynamic-tool',
              toolName: 'x',
              toolCallId: id,
              state: 'output-error',
              input: {},
              errorText: 'no',
            }),
          ),
        ),
      )
      .map(([before, tools]) => [{ id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, ...before, ...tools] }]),
  answers: () =>
    some(text, uiFile, dataPart, constant({ type: 'source-url', sourceId: 's', url: 'https://a.b' })).map((parts) => [
      { id: 'b', role: 'assistant', parts: [{ type: 'step-start' }, ...parts] },
    ]),
})
