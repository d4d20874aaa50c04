import { describe, expect, it } from 'vitest'
import { fromAnthropic, toAnthropic } from '../../../src/formats/index.ts'
import type { Message } from '../../../src/model/types.ts'
import { fixture } from '../fixture.ts'

const image = { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' } as const

describe('messages of the Anthropic API', () => {
  const { messages } = JSON.parse(fixture('anthropic.json'))

  it('come back as they were', () => {
    expect(toAnthropic(fromAnthropic(messages)).messages).toEqual(messages)
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

  it.each(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])(
    'send an image of the type %s as one',
    (mediaType) => {
      const { messages: sent } = toAnthropic([{ role: 'user', content: [{ ...image, mediaType }] }])
      expect(sent[0]?.content).toMatchObject([{ type: 'image', source: { media_type: mediaType } }])
    },
  )

  it('name a file that the API does not take', () => {
    const { messages: sent } = toAnthropic([{ role: 'user', content: [{ ...image, mediaType: 'image/bmp' }] }])
    expect(sent[0]?.content).toEqual([{ type: 'text', text: '[image/bmp]' }])
  })

  it('are none if nothing is left to say, and the turns beside it become one', () => {
    const said: Message[] = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'unsigned' }] },
      { role: 'user', content: 'Go on.' },
    ]
    expect(toAnthropic(said).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go.' },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ])
  })

  it('leave out reasoning without a signature, and ids that the API would refuse', () => {
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
