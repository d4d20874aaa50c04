import fc from 'fast-check'
import { constant, DATA, each, historiesOf, some, text, words } from './valid-histories.ts'

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
