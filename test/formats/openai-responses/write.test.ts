import { describe, expect, it } from 'vitest'
import { fromOpenAIResponses, toOpenAIResponses } from '../../../src/formats/index.ts'
import { fixture } from '../fixture.ts'

describe('items of the OpenAI Responses API', () => {
  const { input } = JSON.parse(fixture('openai-responses.json'))

  it('come back as they were', () => {
    expect(toOpenAIResponses(fromOpenAIResponses(input))).toEqual(input)
  })

  it('keep custom calls, shell calls and tools that the provider ran', () => {
    const items = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' },
      { type: 'local_shell_call', call_id: 'c2', status: 'completed', action: { type: 'exec', command: ['ls'] } },
      { type: 'function_call_output', call_id: 'c2', output: 'a.ts' },
    ]
    expect(toOpenAIResponses(fromOpenAIResponses(items))).toEqual(items)
    const search = fromOpenAIResponses([{ type: 'web_search_call', id: 'ws_1', action: { query: 'pith' } }])
    expect(search).toMatchObject([
      { role: 'assistant', content: [{ toolName: 'web_search', providerExecuted: true }, { type: 'tool-result' }] },
    ])
  })

  it('are one message an answer; a compaction of the API is a message of its own', () => {
    const called = ['c1', 'c2'].map((call_id) => ({ type: 'function_call', call_id, name: 'bash', arguments: '{}' }))
    const items = [...called, { type: 'compaction', encrypted_content: 'abc' }, { role: 'assistant', content: 'Done.' }]
    expect(fromOpenAIResponses(items)).toMatchObject([
      { content: [{ toolCallId: 'c1' }, { toolCallId: 'c2' }] },
      { content: [{ kind: 'openai.compaction' }] },
      { content: [{ text: 'Done.' }] },
    ])
  })

  it.each([
    { type: 'mystery_call', input: 'x' },
    { type: 'mystery', call_id: 'c1' },
  ])('that are not calls with an id are shown as they are: %j', (item) => {
    const { type, ...rest } = item
    expect(fromOpenAIResponses([item])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: `[${type}] ${JSON.stringify(rest)}` }] },
    ])
  })
})
