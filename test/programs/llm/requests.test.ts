import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ModelCall } from '../../../src/llm/call/chat-model.ts'
import { parseMessage } from '../../../src/model/message-schema.ts'
import type { Message } from '../../../src/model/types.ts'
import { ask, CALL, finishOf, modelAt } from '../../llm/support/ask.ts'
import { anthropic, compatible, google, openai, PROTOCOLS } from '../../llm/support/protocols.ts'
import { events, type Json, serve } from '../../llm/support/server.ts'

const TOOLS = [{ name: 'zip' }, { name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: {} } }]

describe.each(PROTOCOLS)('a request over $kind', (protocol) => {
  it('declares the tools in the order given, with nothing to run', async () => {
    const text = (await bodyOf({ ...CALL, tools: TOOLS })).text
    expect(text.indexOf('"zip"')).toBeGreaterThan(-1)
    expect(text.indexOf('"zip"')).toBeLessThan(text.indexOf('"add"'))
  })

  it('has the reasoning of no other provider', async () => {
    const others = ['anthropic', 'openai', 'google'].filter((name) => name !== protocol.kind)
    const foreign = others.map((name) => ({
      type: 'reasoning' as const,
      text: `thoughts of ${name}`,
      providerOptions: { [name]: { signature: 'c2ln', itemId: 'rs_9', thoughtSignature: 'c2ln' } },
    }))
    const messages: Message[] = [
      ...CALL.messages,
      { role: 'assistant', content: [...foreign, { type: 'text', text: 'so' }] },
      { role: 'user', content: 'go on' },
    ]
    const { text } = await bodyOf({ ...CALL, messages })
    expect(text).not.toContain('thoughts of')
    expect(text).toContain('so')
  })

  it('says a system message of the conversation as a part of the system prompt', async () => {
    const messages: Message[] = [{ role: 'system', content: 'a record of before' }, ...CALL.messages]
    const { text, body } = await bodyOf({ ...CALL, messages })
    expect(text).toContain('a record of before')
    expect(JSON.stringify(body.messages ?? body.contents ?? [])).not.toMatch(/"role":"system".*"role":"system"/)
  })

  it('carries an image and prints nothing', async () => {
    const print = vi.spyOn(console, 'warn')
    onTestFinished(() => print.mockRestore())
    const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const messages: Message[] = [{ role: 'user', content: [{ type: 'image', image, mediaType: 'image/png' }] }]
    expect((await bodyOf({ ...CALL, messages })).text).toContain(image)
    expect(print).not.toHaveBeenCalled()
  })

  it('carries the files of a tool result and prints nothing', async () => {
    const print = vi.spyOn(console, 'warn')
    onTestFinished(() => print.mockRestore())
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'zip', input: {} } as const
    const data = 'aGVsbG8='
    const output = { type: 'content', value: [{ type: 'image-data', data, mediaType: 'image/png' }] } as const
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'zip', output } as const
    const messages = [...CALL.messages, { role: 'assistant', content: [call] }, { role: 'tool', content: [result] }]
    const { text } = await bodyOf({ ...CALL, tools: TOOLS, messages: parsed(messages) })
    expect(text).toContain(data)
    expect(print).not.toHaveBeenCalled()
  })

  it('asks for no more output than its limit', async () => {
    const { text } = await bodyOf({ ...CALL, maxOutputTokens: 1_234 })
    expect(text).toMatch(/"(max_tokens|max_output_tokens|maxOutputTokens)":1234/)
  })

  it('can be made by many at once', async () => {
    const { url } = await serve((response, { text }) => {
      const name = /caller (\d)/.exec(text)?.[1]
      events(protocol.answer({ text: `hello ${name}` }))(response, undefined as never)
    })
    const model = modelAt(url, protocol)
    const finishes = await Promise.all(
      [1, 2, 3, 4].map((i) => finishOf(model, { ...CALL, messages: [{ role: 'user', content: `caller ${i}` }] })),
    )
    expect(finishes.map(({ message }) => JSON.stringify(message.content).match(/hello \d/)?.[0])).toEqual([
      'hello 1',
      'hello 2',
      'hello 3',
      'hello 4',
    ])
  })

  async function bodyOf(call: ModelCall): Promise<{ text: string; body: Json }> {
    const { url, received } = await serve(events(protocol.answer({ text: 'ok' })))
    const last = (await ask(modelAt(url, protocol), call)).at(-1)
    expect(last).toMatchObject({ type: 'finish' })
    return { text: received[0]?.text ?? '', body: received[0]?.body }
  }
})

describe('what one provider wants of its own', () => {
  it('Anthropic gets the blocks of the system prompt apart, and a limit of output that leaves room for input', async () => {
    const { url, received } = await serve(events(anthropic.answer({ text: 'ok' })))
    const call = { ...CALL, system: ['first', '', 'second'] }
    await finishOf(modelAt(url, anthropic, {}, 'claude-sonnet-4-5'), call)
    await finishOf(modelAt(url, anthropic, {}, 'unheard-of'), call)
    expect(received[0]?.body.system.map((block: Json) => block.text)).toEqual(['first', 'second'])
    expect(received[0]?.body.max_tokens).toBe(32_000)
    expect(received[1]?.body.max_tokens).toBe(8_192)
  })

  it('others get one system prompt (the templates of local models know no second) and are asked for the usage', async () => {
    const { url, received } = await serve(events(compatible.answer({ text: 'ok' })))
    await finishOf(modelAt(url, compatible), { ...CALL, system: ['first', 'second'] })
    expect(received[0]?.body.messages[0]).toEqual({ role: 'system', content: 'first\n\nsecond' })
    expect(received[0]?.body.stream_options).toEqual({ include_usage: true })
  })

  it('Anthropic gets back reasoning that it has hidden, byte by byte', async () => {
    const hidden = [
      { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: 'UkVEQUNURUQ=' } },
      { type: 'content_block_stop', index: 0 },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    const [start = '', ping = '', ...rest] = anthropic.answer({ text: 'ok' })
    const shifted = rest.map((line) => line.replaceAll('"index":0', '"index":1'))
    const { url, received } = await serve(events([start, ping, ...hidden, ...shifted]))
    const { message } = await finishOf(modelAt(url, anthropic))
    const messages: Message[] = [
      ...CALL.messages,
      JSON.parse(JSON.stringify(message)),
      { role: 'user', content: 'go on' },
    ]
    await finishOf(modelAt(url, anthropic), { ...CALL, messages })
    expect(received[1]?.body.messages[1].content[0]).toEqual({ type: 'redacted_thinking', data: 'UkVEQUNURUQ=' })
  })

  it('a level of reasoning reaches those who have one', async () => {
    const wanted = [
      [openai, 'gpt-5', '"effort":"low"'],
      [google, 'gemini-3-pro-preview', '"thinkingLevel":"low"'],
      [compatible, 'm', '"reasoning_effort":"low"'],
    ] as const
    for (const [protocol, model, text] of wanted) {
      const { url, received } = await serve(events(protocol.answer({ text: 'ok' })))
      await finishOf(modelAt(url, protocol, {}, model), { ...CALL, reasoning: 'low' })
      expect(received[0]?.text).toContain(text)
    }
  })
})

function parsed(messages: readonly unknown[]): Message[] {
  return messages.map((message) => parseMessage(message))
}
