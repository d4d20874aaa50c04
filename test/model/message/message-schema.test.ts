import { type ModelMessage, modelMessageSchema } from 'ai'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { messageSchema, parseMessage } from '../../../src/model/message-schema.ts'
import type { Message } from '../../../src/model/types.ts'

const bytes = new Uint8Array([104, 101, 108, 108, 111])
const base64 = 'aGVsbG8='
const url = new URL('https://example.com/a.png')
const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }

type Output = Extract<Extract<ModelMessage, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output']

/** One message of the AI SDK for every kind of part, in every form that its schema takes. */
const MESSAGES: readonly (readonly [string, ModelMessage])[] = [
  ['a system prompt', { role: 'system', content: 'be brief', providerOptions }],
  ['a plain text of the user', { role: 'user', content: 'hi' }],
  ['a text part', { role: 'user', content: [{ type: 'text', text: 'hi', providerOptions }], providerOptions }],
  ['an image as bytes', userPart({ type: 'image', image: bytes, mediaType: 'image/png' })],
  ['an image as an ArrayBuffer', userPart({ type: 'image', image: bytes.buffer })],
  ['an image as a Buffer', userPart({ type: 'image', image: Buffer.from(bytes) })],
  ['an image as base64', userPart({ type: 'image', image: base64 })],
  ['an image as a URL', userPart({ type: 'image', image: url, providerOptions })],
  ['an image by reference', userPart({ type: 'image', image: { openai: 'file-1' } })],
  ['a file as bare bytes', userPart({ type: 'file', data: bytes, mediaType: 'application/pdf', filename: 'a.pdf' })],
  ['a file as a bare URL', userPart({ type: 'file', data: url, mediaType: 'image/png' })],
  ['a file as a bare reference', userPart({ type: 'file', data: { openai: 'file-1' }, mediaType: 'image/png' })],
  ['a file as tagged bytes', userPart({ type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image/png' })],
  ['a file as a tagged URL', userPart({ type: 'file', data: { type: 'url', url }, mediaType: 'image/png' })],
  [
    'a file as a tagged reference',
    userPart({ type: 'file', data: { type: 'reference', reference: { openai: 'file-1' } }, mediaType: 'image/png' }),
  ],
  ['a file as a tagged text', userPart({ type: 'file', data: { type: 'text', text: 'a,b' }, mediaType: 'text/csv' })],
  ['a plain text of the assistant', { role: 'assistant', content: 'hello' }],
  [
    'reasoning with its signature',
    assistantPart({ type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'c2ln' } } }),
  ],
  [
    'a reasoning file',
    assistantPart({ type: 'reasoning-file', data: { type: 'data', data: bytes }, mediaType: 'image/png' }),
  ],
  ['a reasoning file by URL', assistantPart({ type: 'reasoning-file', data: url, mediaType: 'image/png' })],
  ['a part of a provider’s own', assistantPart({ type: 'custom', kind: 'openai.item', providerOptions })],
  [
    'a tool call',
    assistantPart({ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' }, providerOptions }),
  ],
  [
    'a call that the provider ran, with its result',
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: 'x', providerExecuted: true },
        { type: 'tool-result', toolCallId: 'a', toolName: 'search', output: { type: 'json', value: [1, null] } },
      ],
    },
  ],
  [
    'a request for approval',
    assistantPart({
      type: 'tool-approval-request',
      approvalId: 'p',
      toolCallId: 'a',
      reason: 'it deletes',
      signature: 's',
      isAutomatic: false,
    }),
  ],
  [
    'an answer to one',
    {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId: 'p', approved: false, reason: 'no', providerExecuted: true },
      ],
    },
  ],
  ['a text result', result({ type: 'text', value: 'ok', providerOptions })],
  ['an error text', result({ type: 'error-text', value: 'boom' })],
  ['a JSON result', result({ type: 'json', value: { a: [1, 'b', null, { c: true }] } })],
  ['a JSON result with a field that is not set', result({ type: 'json', value: { a: 1, b: undefined } })],
  ['an error as JSON', result({ type: 'error-json', value: { code: 1 } })],
  ['a refused execution', result({ type: 'execution-denied', reason: 'no' })],
  [
    'a result of several contents',
    result({
      type: 'content',
      value: [
        { type: 'text', text: 'seen', providerOptions },
        { type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image/png', filename: 'a.png' },
        { type: 'file', data: { type: 'url', url }, mediaType: 'image/png' },
        { type: 'file', data: { type: 'reference', reference: { openai: 'f' } }, mediaType: 'image/png' },
        { type: 'file', data: { type: 'text', text: 'a,b' }, mediaType: 'text/csv' },
        { type: 'file-data', data: base64, mediaType: 'application/pdf', filename: 'a.pdf' },
        { type: 'file-url', url: url.href },
        { type: 'file-id', fileId: { openai: 'f' } },
        { type: 'file-reference', providerReference: { openai: 'f' } },
        { type: 'image-data', data: base64, mediaType: 'image/png' },
        { type: 'image-url', url: url.href },
        { type: 'image-file-id', fileId: 'f' },
        { type: 'image-file-reference', providerReference: { openai: 'f' } },
        { type: 'custom', providerOptions },
      ],
    }),
  ],
]

describe('a message of the AI SDK', () => {
  it('is a message of ours, and the other way round, without any conversion', () => {
    expectTypeOf<ModelMessage[]>().toExtend<Message[]>()
    expectTypeOf<Message[]>().toExtend<ModelMessage[]>()
    const theirs: ModelMessage[] = [{ role: 'user', content: 'hi' }]
    const ours: Message[] = theirs
    const back: ModelMessage[] = ours
    expect(back).toBe(theirs)
  })

  it.each(MESSAGES)('%s parses, is then safe to store as JSON, and the AI SDK still takes it', (_, message) => {
    expect(modelMessageSchema.safeParse(message).success).toBe(true)
    const parsed = messageSchema.safeParse(message)
    expect(parsed.error?.issues).toBeUndefined()
    const stored: unknown = JSON.parse(JSON.stringify(parsed.data))
    expect(stored).toEqual(parsed.data)
    expect(modelMessageSchema.safeParse(stored).error?.issues).toBeUndefined()
    expect(messageSchema.parse(stored)).toEqual(stored)
  })
})

describe('a parsed message', () => {
  it('holds bytes as base64 and a URL as its text', () => {
    const content = parseMessage({
      role: 'user',
      content: [
        { type: 'image', image: bytes },
        { type: 'image', image: bytes.buffer },
        { type: 'image', image: url },
        { type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image/png' },
        { type: 'file', data: { type: 'url', url }, mediaType: 'image/png' },
      ],
    }).content
    expect(content).toEqual([
      { type: 'image', image: base64 },
      { type: 'image', image: base64 },
      { type: 'image', image: url.href },
      { type: 'file', data: { type: 'data', data: base64 }, mediaType: 'image/png' },
      { type: 'file', data: url.href, mediaType: 'image/png' },
    ])
  })

  it('holds more bytes than one call takes as arguments', () => {
    const large = new Uint8Array(300_000).map((_, i) => i % 251)
    const { content } = parseMessage({ role: 'user', content: [{ type: 'image', image: large }] })
    expect(content).toEqual([{ type: 'image', image: Buffer.from(large).toString('base64') }])
  })

  it('holds only the bytes of a view into a larger buffer', () => {
    const window = new Uint8Array(new Uint8Array([1, 2, ...bytes, 3]).buffer, 2, bytes.length)
    const { content } = parseMessage({ role: 'user', content: [{ type: 'image', image: window }] })
    expect(content).toEqual([{ type: 'image', image: base64 }])
  })

  it('keeps the keys that it does not know, on the message, its parts and their output', () => {
    const message = {
      role: 'tool',
      future: { a: 1 },
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'read',
          output: { type: 'text', value: 'x', cached: true },
          durationMs: 12,
        },
      ],
    }
    expect(parseMessage(message)).toEqual(message)
  })

  it('keeps every provider’s own options as they were, reasoning signatures above all', () => {
    const message = {
      role: 'assistant',
      providerOptions: { openai: { itemId: 'i' } },
      content: [
        { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'xyz', nested: { deep: [1] } } } },
        { type: 'text', text: 'a', providerOptions },
        { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {}, providerOptions },
      ],
    }
    expect(parseMessage(message)).toEqual(message)
  })

  it('keeps the address and the name of a file in a tool result', () => {
    const { content } = parseMessage(
      result({
        type: 'content',
        value: [{ type: 'file', data: { type: 'url', url }, mediaType: 'image/png', filename: 'a.png' }],
      }),
    )
    expect(JSON.stringify(content)).toContain(url.href)
    expect(JSON.stringify(content)).toContain('a.png')
    expect(JSON.stringify(content)).toContain('image/png')
  })
})

describe('a value that is not a message', () => {
  it.each([
    ['a role that does not exist', { role: 'robot', content: 'x' }, 'role'],
    ['a text that is none', { role: 'user', content: [{ type: 'text', text: 5 }] }, 'content.0.text'],
    ['a part of the wrong role', { role: 'user', content: [{ type: 'tool-call' }] }, 'content.0.type'],
    ['tool content as a plain text', { role: 'tool', content: 'x' }, 'content'],
    [
      'an output of an unknown kind',
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'b', output: { type: 'xml' } }] },
      'content.0.output.type',
    ],
  ])('%s is refused in one line that names the place', (_, value, place) => {
    const refuse = () => parseMessage(value, 'line 3')
    expect(refuse).toThrowError(new RegExp(`^line 3: ${place.replaceAll('.', '\\.')}: [^\\n]+$`))
    expect(refuse).toThrowError(expect.objectContaining({ name: 'PithError', code: 'bad-message' }))
  })
})

type PartOf<R extends ModelMessage['role']> = Exclude<Extract<ModelMessage, { role: R }>['content'], string>[number]

function userPart(part: PartOf<'user'>): ModelMessage {
  return { role: 'user', content: [part] }
}

function assistantPart(part: PartOf<'assistant'>): ModelMessage {
  return { role: 'assistant', content: [part] }
}

function result(output: Output): ModelMessage {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output }] }
}
