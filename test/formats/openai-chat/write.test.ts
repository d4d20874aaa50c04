import { describe, expect, it } from 'vitest'
import { fromOpenAIChat, toOpenAIChat } from '../../../src/formats/index.ts'
import { fixture } from '../fixture.ts'

const image = { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' } as const

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

  it.each([
    ['audio/mpeg', 'mp3'],
    ['audio/wav', 'wav'],
  ])('send a file of the type %s as audio', (mediaType, format) => {
    const file = { type: 'file', data: 'UklGRg==', mediaType } as const
    expect(toOpenAIChat([{ role: 'user', content: [file] }])).toEqual([
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format } }] },
    ])
  })
})
