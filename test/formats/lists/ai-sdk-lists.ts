import type { ModelMessage, UIMessage } from 'ai'
import fc from 'fast-check'

/** Lists of the AI SDK's model messages and UI messages, with parts of every kind, in any order. */
const text = fc.string({ maxLength: 20 })
const id = fc.stringMatching(/^[a-z]{1,6}$/)
const type = <T extends string>(value: T) => fc.constant(value)
const options = fc.option(fc.constant({ anthropic: { signature: 'c2ln' } }), { nil: undefined })

const textPart = fc.record({ type: type('text'), text, providerOptions: options }, { requiredKeys: ['type', 'text'] })
const filePart = fc.record({ type: type('file'), data: id, mediaType: fc.constant('audio/wav'), filename: id })
const output = fc.oneof(
  fc.record({ type: type('text'), value: text }),
  fc.record({ type: type('error-json'), value: fc.constant({ code: 1 }) }),
  fc.record({ type: type('content'), value: fc.array(fc.record({ type: type('text'), text }), { maxLength: 2 }) }),
  fc.record({ type: type('execution-denied'), reason: text }),
)
const result = fc.record({ type: type('tool-result'), toolCallId: id, toolName: id, output })

export const modelMessageLists: fc.Arbitrary<ModelMessage[]> = fc.array(
  fc.oneof(
    fc.record({ role: type('system'), content: text }),
    fc.record({
      role: type('user'),
      content: fc.oneof(
        text,
        fc.array(fc.oneof(textPart, filePart, fc.record({ type: type('image'), image: id })), { maxLength: 3 }),
      ),
    }),
    fc.record({
      role: type('assistant'),
      content: fc.oneof(
        text,
        fc.array(
          fc.oneof(
            textPart,
            filePart,
            result,
            fc.record({ type: type('reasoning'), text, providerOptions: options }),
            fc.record({
              type: type('tool-call'),
              toolCallId: id,
              toolName: id,
              input: fc.json(),
              providerExecuted: fc.boolean(),
            }),
            fc.record({ type: type('tool-approval-request'), approvalId: id, toolCallId: id }),
            fc.record({
              type: type('custom'),
              kind: fc.constant('openai.compaction' as const),
              providerOptions: options,
            }),
          ),
          { maxLength: 4 },
        ),
      ),
    }),
    fc.record({
      role: type('tool'),
      content: fc.array(
        fc.oneof(result, fc.record({ type: type('tool-approval-response'), approvalId: id, approved: fc.boolean() })),
        { maxLength: 2 },
      ),
    }),
  ),
  { maxLength: 8 },
)

const metadata = fc.option(fc.constant({ anthropic: { signature: 'c2ln' } }), { nil: undefined })
const tool = { toolCallId: id, toolName: id, providerExecuted: fc.option(fc.boolean(), { nil: undefined }) }
const toolPart = fc.oneof(
  fc.record({ type: type('dynamic-tool'), ...tool, state: type('input-available'), input: fc.constant({ a: 1 }) }),
  fc.record({
    type: type('dynamic-tool'),
    ...tool,
    state: type('output-available'),
    input: text,
    output: fc.constant({ b: [2] }),
  }),
  fc.record({ type: type('dynamic-tool'), ...tool, state: type('output-error'), input: text, errorText: text }),
  fc.record({
    type: type('dynamic-tool'),
    ...tool,
    state: type('approval-requested'),
    input: text,
    approval: fc.record({ id }),
  }),
  fc.record({
    type: type('dynamic-tool'),
    ...tool,
    state: type('approval-responded'),
    input: text,
    approval: fc.record({ id, approved: fc.boolean(), reason: text }),
  }),
)
const uiPart = fc.oneof(
  fc.record({ type: type('text'), text, providerMetadata: metadata, state: type('done') }),
  fc.record({ type: type('reasoning'), text, providerMetadata: metadata }),
  fc.record({
    type: type('file'),
    mediaType: fc.constant('application/pdf'),
    url: fc.constant('data:application/pdf;base64,JVBERi0='),
    filename: id,
  }),
  fc.record({ type: type('source-url'), sourceId: id, url: fc.webUrl() }),
  fc.record({ type: fc.constant('data-chart' as const), data: fc.constant([1, 2]) }),
  fc.record({ type: type('step-start') }),
  toolPart,
)

export const uiMessageLists: fc.Arbitrary<UIMessage[]> = fc.array(
  fc.record({
    id,
    role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
    metadata: fc.option(fc.constant({ at: 1 }), { nil: undefined }),
    parts: fc.array(uiPart, { maxLength: 5 }),
  }),
  { maxLength: 6 },
)
