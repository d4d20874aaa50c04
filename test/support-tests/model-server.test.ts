import { jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  type Brain,
  type ModelServer,
  type ModelServerOptions,
  PROTOCOLS,
  type ProtocolName,
  startModelServer,
} from '../support/model-server/index.ts'
import { sdkModel } from '../support/model-server/sdk-model.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(brain: Brain | Answer, options: Omit<ModelServerOptions, 'brain'> = {}): Promise<ModelServer> {
  const server = await startModelServer({ brain: typeof brain === 'function' ? brain : () => brain, ...options })
  servers.push(server)
  return server
}

const TOOLS = {
  read: tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
  }),
}

const HELLO: ModelMessage[] = [{ role: 'user', content: 'Hello' }]

/** One call through the AI SDK, and all that came of it. */
async function ask(server: ModelServer, protocol: ProtocolName, messages: ModelMessage[] = HELLO, more: object = {}) {
  const errors: unknown[] = []
  const result = streamText({
    model: sdkModel(server, protocol),
    instructions: 'You are a test.',
    messages,
    tools: TOOLS,
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    ...more,
  })
  const parts: string[] = []
  for await (const part of result.fullStream) parts.push(part.type)
  if (errors.length > 0) return { errors, parts }
  return {
    errors,
    parts,
    text: await result.text,
    calls: (await result.toolCalls).map(({ toolName, input }) => ({ toolName, input })),
    finish: await result.finishReason,
    usage: await result.usage,
    messages: (await result.response).messages,
  }
}

describe.each(PROTOCOLS)('the model server speaks %s', (protocol) => {
  it('so that the AI SDK reads a text with its usage', async () => {
    const text = 'A text that is longer than one piece of the stream, with “quotes”, 日本語 and an emoji 🙂.\n\nEnd.'
    const server = await serve({ text })
    const answer = await ask(server, protocol)
    expect(answer).toMatchObject({ errors: [], text, finish: 'stop' })
    expect(answer.usage?.inputTokens).toBe(server.requests[0]?.tokens)
    expect(answer.usage?.outputTokens).toBe(Math.ceil(text.length / 3.6))
  })

  it('so that the AI SDK reads parallel calls, and the next request is decoded and valid', async () => {
    const call = (path: string) => ({ name: 'read', input: { path } })
    const server = await serve(({ messages }) =>
      messages.length === 1 ? { text: 'I look.', calls: [call('a.ts'), call('b.ts')] } : { text: 'Done.' },
    )
    const first = await ask(server, protocol)
    expect(first).toMatchObject({
      errors: [],
      finish: 'tool-calls',
      calls: [
        { toolName: 'read', input: { path: 'a.ts' } },
        { toolName: 'read', input: { path: 'b.ts' } },
      ],
    })
    const second = await ask(server, protocol, [...HELLO, ...(first.messages ?? []), resultsOf(first.messages ?? [])])
    expect(second).toMatchObject({ errors: [], text: 'Done.' })
    expect(server.violations).toEqual([])
    const { request } = server.requests[1] ?? {}
    expect(request?.system).toBe('You are a test.')
    expect(request?.tools.map(({ name }) => name)).toEqual(['read'])
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(request?.messages[1]?.parts).toMatchObject([
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool-call', name: 'read', input: { path: 'b.ts' } },
    ])
    expect(request?.messages[2]?.parts).toMatchObject([
      { type: 'tool-result', name: 'read', text: 'content of a.ts' },
      { type: 'tool-result', name: 'read', text: 'content of b.ts' },
    ])
  })

  it('and cuts an answer at the tokens that the client allows', async () => {
    const server = await serve({ text: 'x'.repeat(1_000) })
    const answer = await ask(server, protocol, HELLO, { maxOutputTokens: 100 })
    expect(answer).toMatchObject({ text: 'x'.repeat(360), finish: 'length' })
    expect(answer.usage?.outputTokens).toBe(100)
  })
})

function resultsOf(messages: readonly ModelMessage[]): ModelMessage {
  const calls = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
  )
  return {
    role: 'tool',
    content: calls.map(({ toolCallId, toolName, input }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'text', value: `content of ${(input as { path: string }).path}` },
    })),
  }
}
