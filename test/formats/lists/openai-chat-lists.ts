import fc from 'fast-check'

/** Lists of the OpenAI SDK's `ChatCompletionMessageParam`, with parts of every kind, in any order. The package tests hold them against its types. */
const text = fc.string({ maxLength: 20 })
const id = fc.stringMatching(/^[a-z]{1,6}$/)
const type = <T extends string>(value: T) => fc.constant(value)
const name = fc.option(id, { nil: undefined })

const textPart = fc.record({ type: type('text'), text })
const texts = fc.oneof(text, fc.array(textPart, { maxLength: 3 }))
const userPart = fc.oneof(
  textPart,
  fc.record({
    type: type('image_url'),
    image_url: fc.record(
      { url: fc.webUrl(), detail: fc.constantFrom('low' as const, 'high' as const) },
      { requiredKeys: ['url'] },
    ),
  }),
  fc.record({
    type: type('input_audio'),
    input_audio: fc.record({ data: id, format: fc.constantFrom('wav' as const, 'mp3' as const) }),
  }),
  fc.record({
    type: type('file'),
    file: fc.record({ file_data: id, file_id: id, filename: id }, { requiredKeys: [] }),
  }),
)
const call = fc.oneof(
  fc.record({ id, type: type('function'), function: fc.record({ name: id, arguments: fc.oneof(fc.json(), text) }) }),
  fc.record({ id, type: type('custom'), custom: fc.record({ name: id, input: text }) }),
)

export const openAIChatLists = fc.array(
  fc.oneof(
    fc.record({ role: type('system'), content: texts, name }, { requiredKeys: ['role', 'content'] }),
    fc.record({ role: type('developer'), content: texts, name }, { requiredKeys: ['role', 'content'] }),
    fc.record(
      { role: type('user'), content: fc.oneof(text, fc.array(userPart, { maxLength: 4 })), name },
      { requiredKeys: ['role', 'content'] },
    ),
    fc.record(
      {
        role: type('assistant'),
        content: fc.oneof(
          fc.constant(null),
          text,
          fc.array(fc.oneof(textPart, fc.record({ type: type('refusal'), refusal: text })), { maxLength: 2 }),
        ),
        refusal: fc.option(text),
        audio: fc.option(fc.record({ id })),
        tool_calls: fc.array(call, { maxLength: 3 }),
        name,
      },
      { requiredKeys: ['role'] },
    ),
    fc.record({ role: type('tool'), content: texts, tool_call_id: id }),
    fc.record({ role: type('function'), content: fc.option(text), name: id }),
  ),
  { maxLength: 8 },
)
