import { describe, expect, it } from 'vitest'
import { anthropicAnswer, anthropicFace } from '../../../src/gateway/faces/anthropic-face.ts'
import { openAIResponsesFace } from '../../../src/gateway/faces/openai-responses-face.ts'
import { callsOf } from '../../../src/model/types.ts'

const edits = [
  { type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50_000 },
  { type: 'clear_thinking_20251015', cleared_thinking_turns: 3, cleared_input_tokens: 15_000 },
  { type: 'clear_something_20270101', cleared_somethings: 2 },
  { type: 'clear_tool_uses_20250919', cleared_tool_uses: 0, cleared_input_tokens: 0 },
]
const cleared = [
  { what: 'tool uses', count: 8, tokens: 50_000 },
  { what: 'thinking turns', count: 3, tokens: 15_000 },
  { what: 'somethings', count: 2 },
]

function stream(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

const start = { type: 'message_start', message: { model: 'm', usage: { input_tokens: 9 } } }
const text = [
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Done.' } },
]
const end = (more: object, usage: object = {}) => [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3, ...usage }, ...more },
  { type: 'message_stop' },
]

describe('the provider’s own changes of the context', () => {
  it('are read from an answer, whole or streamed, in each protocol', () => {
    const context = { context_management: { applied_edits: edits } }
    const content = [{ type: 'text', text: 'Done.' }]
    const usage = { input_tokens: 9, output_tokens: 3 }
    const whole = JSON.stringify({ type: 'message', content, usage, ...context })
    const streamed = stream(start, ...text, ...end(context))
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }]
    const response = JSON.stringify({ object: 'response', output, usage, ...context })
    expect(anthropicAnswer(whole)?.reduced).toEqual(cleared)
    expect(anthropicAnswer(streamed)?.reduced).toEqual(cleared)
    expect(openAIResponsesFace.answerOf(response, 0)?.reduced).toEqual(cleared)
    expect(anthropicAnswer(stream(start, ...text, ...end({ context_management: null })))?.reduced).toBeUndefined()
  })

  it('include its compaction, whose tokens are counted apart from the answer', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
      { type: 'message', input_tokens: 9, output_tokens: 3 },
    ]
    const answer = anthropicAnswer(
      stream(
        start,
        { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
        { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'So far.' } },
        ...text,
        ...end({}, { iterations }),
      ),
    )
    expect(answer).toMatchObject({
      usage: { inputTokens: 9, outputTokens: 3 },
      compactionUsage: { inputTokens: 180_000, outputTokens: 3_500 },
      reduced: [{ what: 'compacted' }],
      message: { content: [{ type: 'text', text: 'So far.' }, { text: 'Done.' }] },
    })
    const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' }
    const response = JSON.stringify({ object: 'response', output: [item] })
    expect(openAIResponsesFace.answerOf(response, 0)?.reduced).toEqual([{ what: 'compacted' }])
  })

  it('leave the calls of its memory and of its own tools visible', () => {
    const memory = { type: 'tool_use', id: 't1', name: 'memory', input: { command: 'view', path: '/memories' } }
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'pith' } }
    const [messages = []] = anthropicFace.messagesOf([{ role: 'assistant', content: [memory, search] }])
    expect(messages.flatMap(callsOf).map(({ toolName }) => toolName)).toEqual(['memory', 'web_search'])
  })
})
