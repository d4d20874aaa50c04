import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../src/llm/call/chat-model.ts'
import { ask, CALL, finishOf, modelAt } from '../support/ask.ts'
import { PROTOCOLS } from '../support/protocols.ts'
import { events, serve } from '../support/server.ts'

const TOOLS = [
  { name: 'read', description: 'Reads', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
]

describe.each(PROTOCOLS)('a model over $kind', (protocol) => {
  it('streams text as it comes and finishes with the whole message and the usage', async () => {
    const { url, received } = await serve(
      events(protocol.answer({ text: 'Good day', usage: { input: 812, output: 7 } })),
    )
    const all = await ask(modelAt(url, protocol))
    expect(textOf(all, 'text')).toBe('Good day')
    expect(all.filter((event) => event.type === 'text')).toHaveLength(2)
    expect(all.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'stop',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Good day' }] },
      usage: { inputTokens: 812, outputTokens: 7 },
    })
    expect(received[0]?.path).toMatch(protocol.path)
  })

  it('streams reasoning apart from text and keeps it in the message', async () => {
    const { url } = await serve(events(protocol.answer({ reasoning: 'think hard', text: 'done' })))
    const all = await ask(modelAt(url, protocol))
    expect(textOf(all, 'reasoning')).toBe('think hard')
    expect(textOf(all, 'text')).toBe('done')
    expect(all.at(-1)).toMatchObject({
      message: {
        content: [
          { type: 'reasoning', text: 'think hard' },
          { type: 'text', text: 'done' },
        ],
      },
    })
  })

  it('passes on calls, also several at once, with their input parsed', async () => {
    const calls = [
      { id: 'call_a', name: 'read', input: '{"path":"a.ts"}' },
      { id: 'call_b', name: 'read', input: '{"path":"b.ts"}' },
    ]
    const { url } = await serve(events(protocol.answer({ text: 'I read', calls })))
    const all = await ask(modelAt(url, protocol), { ...CALL, tools: TOOLS })
    const called = all.filter((event) => event.type === 'tool-call')
    expect(called).toEqual([
      { type: 'tool-call', toolCallId: 'call_a', toolName: 'read', input: { path: 'a.ts' } },
      { type: 'tool-call', toolCallId: 'call_b', toolName: 'read', input: { path: 'b.ts' } },
    ])
    expect(all.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
    const begun = all.filter((event) => event.type === 'tool-input').map((event) => event.toolCallId)
    expect(begun).toEqual(['call_a', 'call_b'])
  })

  it('counts cache reads into the input and reasoning into the output', async () => {
    const usage = { input: 900, output: 50, cacheRead: 700, reasoning: 30 }
    const { url } = await serve(events(protocol.answer({ text: 'x', usage })))
    const finish = await finishOf(modelAt(url, protocol))
    expect(finish.usage).toMatchObject({ inputTokens: 900, outputTokens: 50, cacheReadTokens: 700 })
  })

  it('sends reasoning back exactly as it came', async () => {
    const said = { reasoning: 'think', signature: 'U0lHTkFUVVJF', calls: [{ id: 'c1', name: 'read', input: '{}' }] }
    const { url, received } = await serve(events(protocol.answer(said)), events(protocol.answer({ text: 'ok' })))
    const model = modelAt(url, protocol, {}, protocol.kind === 'openai' ? 'gpt-5' : 'some-model')
    const { message } = await finishOf(model, { ...CALL, tools: TOOLS })
    const stored = JSON.parse(JSON.stringify(message))
    const result = {
      type: 'tool-result',
      toolCallId: 'c1',
      toolName: 'read',
      output: { type: 'text', value: 'r' },
    } as const
    await finishOf(model, {
      ...CALL,
      tools: TOOLS,
      messages: [...CALL.messages, stored, { role: 'tool', content: [result] }],
    })
    const sent = received[1]?.text ?? ''
    if (protocol.kind !== 'openai-compatible') expect(sent).toContain('U0lHTkFUVVJF')
    expect(sent).toContain('think')
  })
})

function textOf(all: readonly ModelEvent[], type: 'text' | 'reasoning'): string {
  return all.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
}
