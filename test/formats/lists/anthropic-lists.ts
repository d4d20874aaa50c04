import fc from 'fast-check'

/** Lists of the Anthropic SDK's `BetaMessageParam`, with blocks of every kind, in any order. The package tests hold them against its types. */
const text = fc.string({ maxLength: 20 })
const id = fc.stringMatching(/^[a-z]{1,6}$/)
const type = <T extends string>(value: T) => fc.constant(value)
const cached = fc.option(fc.constant({ type: 'ephemeral' as const }), { nil: undefined })

const citation = fc.record({
  type: type('char_location'),
  cited_text: text,
  document_index: fc.nat(5),
  document_title: fc.option(text),
  start_char_index: fc.nat(9),
  end_char_index: fc.nat(9),
})
const textBlock = fc.record(
  { type: type('text'), text, cache_control: cached, citations: fc.array(citation, { maxLength: 1 }) },
  { requiredKeys: ['type', 'text'] },
)
const imageSource = fc.oneof(
  fc.record({
    type: type('base64'),
    media_type: fc.constantFrom('image/png' as const, 'image/webp' as const),
    data: id,
  }),
  fc.record({ type: type('url'), url: fc.webUrl() }),
  fc.record({ type: type('file'), file_id: id }),
)
const image = fc.record(
  { type: type('image'), source: imageSource, cache_control: cached },
  { requiredKeys: ['type', 'source'] },
)
const document = fc.record(
  {
    type: type('document'),
    source: fc.oneof(
      fc.record({ type: type('base64'), media_type: fc.constant('application/pdf' as const), data: id }),
      fc.record({ type: type('text'), media_type: fc.constant('text/plain' as const), data: text }),
      fc.record({ type: type('content'), content: text }),
    ),
    citations: fc.constant({ enabled: true }),
    title: text,
    context: text,
  },
  { requiredKeys: ['type', 'source'] },
)
const searchResult = fc.record({
  type: type('search_result'),
  source: text,
  title: text,
  content: fc.array(fc.record({ type: type('text'), text }), { maxLength: 2 }),
})
const result = fc.record(
  {
    type: type('tool_result'),
    tool_use_id: id,
    content: fc.oneof(text, fc.array(fc.oneof(textBlock, image, document, searchResult), { maxLength: 3 })),
    is_error: fc.boolean(),
    cache_control: cached,
  },
  { requiredKeys: ['type', 'tool_use_id'] },
)
const userBlock = fc.oneof(
  textBlock,
  image,
  document,
  searchResult,
  result,
  fc.record({ type: type('container_upload'), file_id: id }),
)
const assistantBlock = fc.oneof(
  textBlock,
  fc.record({ type: type('thinking'), thinking: text, signature: text }),
  fc.record({ type: type('redacted_thinking'), data: text }),
  fc.record({
    type: type('tool_use'),
    id,
    name: id,
    input: fc.dictionary(id, text, { maxKeys: 2 }),
    cache_control: cached,
  }),
  fc.record({ type: type('server_tool_use'), id, name: type('web_search'), input: fc.record({ query: text }) }),
  fc.record({
    type: type('web_search_tool_result'),
    tool_use_id: id,
    content: fc.array(
      fc.record({
        type: type('web_search_result'),
        encrypted_content: text,
        title: text,
        url: fc.webUrl(),
        page_age: fc.option(text),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ type: type('mcp_tool_use'), id, name: id, server_name: id, input: fc.constant({}) }),
  fc.record({ type: type('mcp_tool_result'), tool_use_id: id, content: text, is_error: fc.boolean() }),
  fc.record(
    { type: type('compaction'), content: fc.option(text), signature: text },
    { requiredKeys: ['type', 'content'] },
  ),
)

export const anthropicLists = fc.array(
  fc.oneof(
    fc.record({ role: type('user'), content: fc.oneof(text, fc.array(userBlock, { maxLength: 4 })) }),
    fc.record({ role: type('assistant'), content: fc.oneof(text, fc.array(assistantBlock, { maxLength: 4 })) }),
    fc.record({
      role: type('system'),
      content: fc.oneof(text, fc.array(fc.record({ type: type('text'), text }), { maxLength: 2 })),
    }),
  ),
  { maxLength: 8 },
)
