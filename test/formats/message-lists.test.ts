import { describe, expect, it } from 'vitest'
import {
  detect,
  fromAnthropic,
  fromOpenAIChat,
  fromOpenAIResponses,
  fromUIMessages,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../src/formats/index.ts'
import type { Message } from '../../src/model/message.ts'
import { decoded, fixture } from './fixture.ts'

const image = { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' } as const

describe('messages of the Anthropic API', () => {
  const { messages } = JSON.parse(fixture('anthropic.json'))

  it('come back as they were, but for results that may be a bare text', () => {
    const back = toAnthropic(fromAnthropic(messages)).messages
    expect(back.slice(1, 2)).toEqual(messages.slice(1, 2))
    expect(back.map((message) => message.role)).toEqual(messages.map((message: { role: string }) => message.role))
    expect(back[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'export const port = 8080\n' },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'ok' },
    ])
  })

  it('keep images, documents and redacted reasoning', () => {
    const content = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
    ]
    const list = [
      { role: 'user', content },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'c2VjcmV0' },
          { type: 'text', text: 'Seen.' },
        ],
      },
    ]
    expect(toAnthropic(fromAnthropic(list)).messages).toEqual(list)
  })

  it('leave out reasoning that nobody signed, and ids that the API would refuse', () => {
    const said: Message[] = [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'unsigned' },
          { type: 'tool-call', toolCallId: 'call_1|fc_2', toolName: 'mcp:read', input: 'raw' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'call_1|fc_2',
            toolName: 'mcp:read',
            output: { type: 'error-text', value: 'no' },
          },
        ],
      },
    ]
    expect(toAnthropic(said).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1_fc_2', name: 'mcp_read', input: { input: 'raw' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1_fc_2', content: 'no', is_error: true }] },
    ])
  })

  it('put system messages apart and merge what one side said in a row', () => {
    const said: Message[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One.' },
      { role: 'user', content: [{ type: 'text', text: 'Two.' }, image] },
    ]
    const { system, messages: made } = toAnthropic(said)
    expect(system).toBe('Be brief.')
    expect(made).toHaveLength(1)
  })
})

describe('messages of the OpenAI Chat Completions API', () => {
  it('come back as they were', () => {
    const list = JSON.parse(fixture('openai-chat.json'))
    expect(toOpenAIChat(fromOpenAIChat(list))).toEqual(list)
  })

  it('keep images and broken arguments', () => {
    const list = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'k', type: 'function', function: { name: 'read', arguments: '{"path":' } }],
      },
    ]
    const read = fromOpenAIChat(list)
    expect(read[0]?.content[1]).toEqual(image)
    expect(toOpenAIChat(read)).toEqual(list)
  })
})

describe('items of the OpenAI Responses API', () => {
  const { input } = JSON.parse(fixture('openai-responses.json'))

  it('come back as they were', () => {
    const back = toOpenAIResponses(fromOpenAIResponses(input))
    expect(back.slice(1)).toEqual(input.slice(1))
    expect(back[0]).toEqual({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: input[0].content }],
    })
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
})

it('UI messages of the AI SDK become steps with their results', () => {
  const roles = fromUIMessages(JSON.parse(fixture('ai-sdk-ui.json'))).map((message) => message.role)
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'])
})

it('a message list may be stored as one message a line', () => {
  const list = JSON.parse(fixture('openai-chat.json'))
  const lines = [...list.map((message: unknown) => JSON.stringify(message)), '{"role":"us'].join('\n')
  expect(detect(lines)).toBe('openai-chat')
  const session = decoded(lines)
  expect(session.entries).toEqual(decoded(fixture('openai-chat.json')).entries)
  expect(session.issues).toEqual([{ line: 9, reason: 'the line is no JSON object' }])
})
