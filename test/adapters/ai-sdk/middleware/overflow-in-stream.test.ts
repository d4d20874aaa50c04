import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type ModelMessage, streamText, wrapLanguageModel } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ContextEvent, compactionMiddleware } from '../../../../src/adapters/ai-sdk/index.ts'
import { turns } from '../../../support/messages.ts'

const TOO_LONG = {
  error: { message: "This model's maximum context length is 8000 tokens", code: 'context_length_exceeded' },
}
const chunk = (delta: object, finish: string | null) => ({
  id: 'x',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const NO_ROOM = { ...chunk({}, 'length'), usage: { prompt_tokens: 8_000, completion_tokens: 0 } }
const ANSWER = [chunk({ role: 'assistant', content: 'Here I am.' }, null), chunk({}, 'stop')]
const MESSAGES: ModelMessage[] = [...turns(30, 1_000), { role: 'user', content: 'Are you there?' }]

/** A server that answers each request with the next of these streams, and a model that uses it. */
async function modelAnswering(...streams: readonly (readonly object[])[]) {
  const sizes: number[] = []
  const server = createServer((request, response) => {
    let size = 0
    request.on('data', (piece: Buffer) => {
      size += piece.length
    })
    request.on('end', () => {
      const events = streams[sizes.length] ?? ANSWER
      sizes.push(size)
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { sizes, model: createOpenAICompatible({ name: 'local', baseURL })('some-model') }
}

async function ask(model: Awaited<ReturnType<typeof modelAnswering>>['model'], events: ContextEvent[]) {
  const middleware = compactionMiddleware({ summaryModels: [], onEvent: (event) => events.push(event) })
  const result = streamText({
    model: wrapLanguageModel({ model, middleware }),
    messages: MESSAGES,
    maxRetries: 0,
    onError: () => {},
  })
  await result.consumeStream()
  return result
}

describe('an overflow that is reported inside a stream', () => {
  it('is understood before anything was said: less is sent, and the answer comes', async () => {
    const { model, sizes } = await modelAnswering([TOO_LONG])
    const events: ContextEvent[] = []
    expect(await (await ask(model, events)).text).toBe('Here I am.')
    expect(events).toContainEqual(expect.objectContaining({ type: 'overflow', attempt: 1 }))
    expect(sizes).toHaveLength(2)
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
  })

  it('is understood when the answer ends at its limit before it began', async () => {
    const { model, sizes } = await modelAnswering([NO_ROOM])
    expect(await (await ask(model, [])).text).toBe('Here I am.')
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
  })

  it('gets less and less each time, and is the caller’s when nothing helps', async () => {
    const { model, sizes } = await modelAnswering(...Array.from({ length: 8 }, () => [TOO_LONG]))
    const events: ContextEvent[] = []
    const { fullStream } = streamText({
      model: wrapLanguageModel({
        model,
        middleware: compactionMiddleware({ summaryModels: [], onEvent: (event) => events.push(event) }),
      }),
      messages: MESSAGES,
      maxRetries: 0,
      onError: () => {},
    })
    const errors: unknown[] = []
    for await (const part of fullStream) if (part.type === 'error') errors.push(part.error)
    expect(JSON.stringify(errors)).toContain('maximum context length')
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.length).toBeLessThanOrEqual(7)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  })

  it('after the first word is not an overflow any more', async () => {
    const { model, sizes } = await modelAnswering([chunk({ role: 'assistant', content: 'Well' }, null), TOO_LONG])
    await ask(model, [])
    expect(sizes).toHaveLength(1)
  })
})
