import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelCall } from '../../../src/llm/call/chat-model.ts'
import { ask, modelAt } from '../../llm/support/ask.ts'
import { PROTOCOLS } from '../../llm/support/protocols.ts'

// A second opinion on the protocols: a server that we did not write.
const mock = new LLMock({ port: 0 })
const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }]

beforeAll(async () => {
  mock.onMessage('hello', { content: 'Hi there!', reasoning: 'A greeting.' })
  mock.onMessage('read two', {
    content: 'I read.',
    toolCalls: [
      { id: 'call_1', name: 'read', arguments: { path: 'a.ts' } },
      { id: 'call_2', name: 'read', arguments: { path: 'b.ts' } },
    ],
  })
  mock.onMessage('cut', { content: 'This goes on and on and on and on.' }, { truncateAfterChunks: 3, chunkSize: 4 })
  await mock.start()
})
afterAll(() => mock.stop())

describe.each(PROTOCOLS)('aimock over $kind', (protocol) => {
  const model = () => modelAt(mock.url, protocol, {}, protocol.kind === 'openai' ? 'gpt-5' : 'm')

  it('answers with text', async () => {
    const finish = (await ask(model(), says('hello'))).at(-1)
    expect(finish).toMatchObject({ type: 'finish', reason: 'stop' })
    expect(JSON.stringify(finish)).toContain('Hi there!')
  })

  it('calls two tools at once', async () => {
    const all = await ask(model(), { ...says('read two files'), tools })
    const calls = all.flatMap((event) => (event.type === 'tool-call' ? [event.input] : []))
    expect(calls).toEqual([{ path: 'a.ts' }, { path: 'b.ts' }])
    expect(all.at(-1)).toMatchObject({ reason: 'tool-calls' })
  })

  it('fails once and then answers', async () => {
    mock.nextRequestError(503, { message: 'busy', type: 'server_error' })
    const all = await ask(model(), says('hello'))
    expect(all[0]).toMatchObject({ type: 'retry', failure: { kind: 'server', text: expect.stringContaining('busy') } })
    expect(all.at(-1)?.type).toBe('finish')
  })

  it('breaks off in the middle', async () => {
    const all = await ask(modelAt(mock.url, protocol, { retry: { attempts: 1 } }), says('cut'))
    expect(all.at(-1)).toMatchObject({ type: 'failed' })
  })
})

function says(content: string): ModelCall {
  return { system: ['Be brief.'], messages: [{ role: 'user', content }] }
}
