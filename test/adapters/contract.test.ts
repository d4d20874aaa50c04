import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compactionMiddleware } from '../../src/adapters/langchain/index.ts'
import { compactionProcessor } from '../../src/adapters/mastra/index.ts'
import { compactionFilter } from '../../src/adapters/openai-agents/index.ts'
import type { KeeperOptions } from '../../src/adapters/shared/list-keeper.ts'

/** A list of a framework that grows, step by step. The frameworks themselves run in the package tests. */
type Adapter = {
  /** A conversation of so many steps, of which the items of an earlier one are the same objects. */
  readonly list: (steps: number) => object[]
  readonly send: (options: KeeperOptions) => (list: object[]) => Promise<readonly object[]>
}

const long = (step: number) => `export const value${step} = ${step}\n`.repeat(120)

type ChainCall = { id: string; name: string; args: unknown }

/** A message as LangChain's classes have it. */
class Chain {
  readonly content: unknown
  readonly tool_calls?: readonly ChainCall[]
  readonly tool_call_id?: string
  readonly kind: string

  constructor(given: { content: unknown; tool_calls?: readonly ChainCall[]; tool_call_id?: string; kind?: string }) {
    this.content = given.content
    this.tool_calls = given.tool_calls
    this.tool_call_id = given.tool_call_id
    this.kind = given.kind ?? (given.tool_call_id === undefined ? 'human' : 'tool')
  }

  getType(): string {
    return this.kind
  }
}

function growing(first: object, step: (i: number) => readonly object[]): (steps: number) => object[] {
  const all: object[] = [first]
  let made = 0
  return (steps) => {
    for (; made < steps; made++) all.push(...step(made))
    return all.slice(0, 1 + steps * 2)
  }
}

const ADAPTERS: Record<string, Adapter> = {
  langchain: {
    list: growing(new Chain({ content: 'Read all files.' }), (i) => [
      new Chain({ kind: 'ai', content: '', tool_calls: [{ id: `c${i}`, name: 'read', args: { path: `f${i}.ts` } }] }),
      new Chain({ content: long(i), tool_call_id: `c${i}` }),
    ]),
    send(options) {
      const middleware = compactionMiddleware(options)
      return (list) => middleware.wrapModelCall({ messages: list as Chain[] }, (request) => request.messages)
    },
  },
  'openai-agents': {
    list: growing({ role: 'user', content: 'Read all files.' }, (i) => [
      { type: 'function_call', callId: `c${i}`, name: 'read', arguments: `{"path":"f${i}.ts"}`, status: 'completed' },
      {
        type: 'function_call_result',
        callId: `c${i}`,
        name: 'read',
        status: 'completed',
        output: { type: 'text', text: long(i) },
      },
    ]),
    send(options) {
      const filter = compactionFilter(options)
      return async (list) => (await filter({ modelData: { input: list } })).input
    },
  },
  mastra: {
    list: growing({ role: 'user', content: [{ type: 'text', text: 'Read all files.' }] }, (i) => [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: `c${i}`, toolName: 'read', input: { path: `f${i}.ts` } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: `c${i}`, toolName: 'read', output: { type: 'text', value: long(i) } },
        ],
      },
    ]),
    send(options) {
      const processor = compactionProcessor(options)
      return async (list) =>
        (await processor.processLLMRequest({ prompt: list as { role: 'user'; content: unknown }[] })).prompt
    },
  },
}

describe.each(Object.entries(ADAPTERS))('the adapter for %s', (_name, { list, send }) => {
  it('sends the very objects that came while they fit', async () => {
    const few = list(3)
    const sent = await send({ window: 100_000 })(few)
    expect(sent).toHaveLength(few.length)
    for (const [i, item] of sent.entries()) expect(item).toBe(few[i])
  })

  it('keeps the window, and mostly extends the request before', async () => {
    const step = send({ window: 20_000 })
    let before: string[] = []
    let equal = 0
    const steps = 40
    for (let i = 1; i <= steps; i++) {
      const sent = (await step(list(i))).map((item) => JSON.stringify(item))
      expect(sent.join('').length).toBeLessThan(20_000 * 4)
      if (before.every((item, at) => item === sent[at])) equal++
      before = sent
    }
    expect(before.join('')).toContain('Read all files.')
    expect(before.join('').length).toBeLessThan(
      list(steps)
        .map((item) => JSON.stringify(item))
        .join('').length / 2,
    )
    expect(equal / steps).toBeGreaterThanOrEqual(0.7)
  })

  it('says in one line that it needs a window, when it is made', () => {
    const needed = 'window: the context window of the model in tokens is needed, and'
    expect(() => send({})).toThrow(`${needed} there is none`)
    expect(() => send({ window: -1 })).toThrow(`${needed} it is -1`)
    expect(() => send({ model: 'nope/x' })).toThrow(`${needed} that of nope/x is not known`)
    expect(() => send({ model: 'openai:gpt-5' })).not.toThrow()
  })
})

it('the adapter for langchain counts the tools of the request, with schemas of zod and of JSON', async () => {
  const long = 'Reads a file of the workspace, whole or in part, and says what it is. '.repeat(500)
  const shape = z.object({ path: z.string().describe(long) })
  const sentWith = async (tools: unknown[]) => {
    const { wrapModelCall } = compactionMiddleware({ window: 20_000 })
    const messages = ADAPTERS.langchain?.list(12) as Chain[]
    const sent = await wrapModelCall({ messages, tools }, (request) => request.messages)
    return JSON.stringify(sent).length
  }
  const without = await sentWith([])
  expect(await sentWith([{ name: 'read', description: 'Reads.', schema: shape }])).toBeLessThan(without)
  expect(await sentWith([{ name: 'read', description: 'Reads.', schema: z.toJSONSchema(shape) }])).toBeLessThan(without)
})
