import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compactionMiddleware } from '../../src/adapters/langchain/index.ts'
import { compactionProcessor } from '../../src/adapters/mastra/index.ts'
import { compactionFilter } from '../../src/adapters/openai-agents/index.ts'
import type { KeeperOptions } from '../../src/adapters/shared/list-keeper.ts'
import type { SummaryRequest } from '../../src/model/types.ts'
import { full } from '../support/full.ts'
import { Chain, chainStep } from './langchain/chain.ts'

/** A list of a framework that grows, step by step. The frameworks themselves run in the package tests. */
type Adapter = {
  /** A conversation of that many steps, of which the items of an earlier one are the same objects. */
  readonly list: (steps: number) => object[]
  readonly send: (options: KeeperOptions) => Send & { readonly state?: () => unknown }
  /** The same with a provider that may refuse a list, if the framework reports refusals. */
  readonly sendTo?: (options: KeeperOptions, answer: Answer) => Send
}
type Send = (list: object[]) => Promise<readonly object[]>
type Answer = (list: readonly object[]) => readonly object[]

/** A provider that knows better how large its window is. */
function refusing(mostCharacters: number): Answer {
  return (list) => {
    const { length } = JSON.stringify(list)
    if (length <= mostCharacters) return list
    const limit = `This model's maximum context length is ${mostCharacters / 4} tokens.`
    const message = `${limit} However, your messages resulted in ${Math.ceil(length / 4)} tokens.`
    throw Object.assign(new Error(message), { status: 400 })
  }
}

/** A provider that counts more than we do: two characters are a token. */
const countOf = (list: readonly object[]) => ({
  inputTokens: Math.ceil(JSON.stringify(list).length / 2),
  outputTokens: 9,
})

const long = (step: number) => `export const value${step} = ${step}\n`.repeat(120)

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
    list: growing(new Chain({ content: 'Read all files.' }), chainStep),
    send(options) {
      const middleware = compactionMiddleware(options)
      let pithState: unknown
      const send = async (list: object[]) => {
        const messages = list as Chain[]
        pithState = (await middleware.beforeModel({ messages, pithState })).pithState
        return middleware.wrapModelCall({ messages, state: { messages, pithState } }, (request) => request.messages)
      }
      return Object.assign(send, { state: () => pithState })
    },
    sendTo(options, answer) {
      const { wrapModelCall } = compactionMiddleware(options)
      return (list) => wrapModelCall({ messages: list as Chain[] }, ({ messages }) => answer(messages))
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
      const send = async (list: object[]) => (await filter({ modelData: { input: list } })).input
      return Object.assign(send, { state: filter.state })
    },
    sendTo(options, answer) {
      const filter = compactionFilter(options)
      const model = filter.model({
        getResponse: async ({ input }: { input: object[] }) => ({ output: answer(input), usage: countOf(input) }),
        async *getStreamedResponse({ input }: { input: object[] }) {
          yield { type: 'response_started' }
          yield { type: 'response_done', response: { output: answer(input), usage: countOf(input) } }
        },
      })
      return async (list) => {
        const { input } = await filter({ modelData: { input: list } })
        const streamed: object[] = []
        // The SDK hands a model copies.
        for await (const event of model.getStreamedResponse({ input: structuredClone(input) })) streamed.push(event)
        const { output } = await model.getResponse({ input: structuredClone(input) })
        expect(streamed).toMatchObject([{ type: 'response_started' }, { type: 'response_done' }])
        return output
      }
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
      return Object.assign(prompting(processor), { state: processor.state })
    },
    sendTo(options, answer) {
      const processor = compactionProcessor(options)
      const prompt = prompting(processor)
      const send = async (list: object[], retryCount = 0): Promise<readonly object[]> => {
        const sent = await prompt(list)
        try {
          const answered = answer(sent)
          await processor.processLLMResponse({
            chunks: [{ type: 'finish', payload: { output: { usage: countOf(sent) } } }],
          })
          return answered
        } catch (error) {
          if (!(await processor.processAPIError({ error, retryCount })).retry) throw error
          return send(list, retryCount + 1)
        }
      }
      return send
    },
  },
}

function prompting({ processLLMRequest }: ReturnType<typeof compactionProcessor>): Send {
  return async (list) => (await processLLMRequest({ prompt: list as { role: 'user'; content: unknown }[] })).prompt
}

/** The same item with another text in it. */
function withWord(item: object, word: string, other: string): object {
  const copy: object = JSON.parse(JSON.stringify(item).replace(word, other))
  return Object.assign(Object.create(Object.getPrototypeOf(item)), copy)
}

/** A model that writes a summary, and what it was asked. */
function summariser() {
  const asked: string[] = []
  async function* stream(request: SummaryRequest) {
    asked.push(JSON.stringify(request))
    yield '## Goal\nTo read all files: f0.ts, f1.ts and f2.ts were read.'
  }
  return { asked, summaryModels: [{ name: 'my/model', stream }] }
}

describe.each(Object.entries(ADAPTERS))('the adapter for %s', (name, { list, send, sendTo }) => {
  it('sends the very objects that came while they fit', async () => {
    const few = list(3)
    const sent = await send({ window: 100_000 })(few)
    expect(sent).toHaveLength(few.length)
    for (const [i, item] of sent.entries()) expect(item).toBe(few[i])
  })

  it('keeps the window, and mostly extends the request before', async () => {
    const [window, steps] = full ? [20_000, 40] : [12_000, 24]
    const step = send({ window })
    let before: string[] = []
    let equal = 0
    for (let i = 1; i <= steps; i++) {
      const sent = (await step(list(i))).map((item) => JSON.stringify(item))
      expect(sent.join('').length).toBeLessThan(window * 4)
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

  it('continues with the state of another process, and nothing is summarised twice', async () => {
    const { asked, summaryModels } = summariser()
    const options = { window: 20_000, policy: { rungs: ['cold' as const, 'digest' as const] }, summaryModels }
    const step = send(options)
    let sent = await step(list(20))
    for (let i = 21; i <= 24; i++) sent = await step(list(i))
    const before = asked.length
    expect(before).toBeGreaterThan(0)
    const state: unknown = JSON.parse(JSON.stringify(step.state?.()))
    const again = await send({ ...options, state })(list(24))
    expect(asked).toHaveLength(before)
    expect(again.map((item) => JSON.stringify(item))).toEqual(sent.map((item) => JSON.stringify(item)))
    const states = new Map<string, unknown>()
    await send({ ...options, states })(list(24))
    const known = asked.length
    await send({ ...options, states })(list(24))
    expect([states.size, asked.length]).toEqual([1, known])
  })

  it('sends no secret to the model that writes summaries', async () => {
    const { asked, summaryModels } = summariser()
    const secret = `ghp_${'A1b2C3d4'.repeat(5).slice(0, 36)}`
    const policy = { rungs: ['cold' as const, 'digest' as const] }
    const items = list(24).map((item) => withWord(item, 'value1 = 1', `token = '${secret}'`))
    await send({ window: 20_000, policy, summaryModels })(items)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.join('')).not.toContain(secret)
    expect(asked.join('')).toContain('secret left out')
  })

  it.runIf(sendTo !== undefined)('sends again, smaller, what the provider refused as too large', async () => {
    const step = sendTo?.({ window: 100_000 }, refusing(40_000))
    for (let i = 1; i <= 20; i++) expect(JSON.stringify(await step?.(list(i))).length).toBeLessThanOrEqual(40_000)
  })

  it.runIf(name !== 'langchain')('counts as the provider does, so that nothing is refused', async () => {
    let refused = 0
    const step = sendTo?.({ window: 20_000 }, (sent) => {
      if (countOf(sent).inputTokens > 20_000) refused++
      return sent
    })
    for (let i = 1; i <= 20; i++) await step?.(list(i))
    expect(refused).toBe(0)
  })

  it.runIf(sendTo !== undefined)('sends no list again that is not smaller, and throws the error instead', async () => {
    for (const said of ['', ': 900000 tokens > 100000 maximum', ': 60000 tokens > 50000 maximum']) {
      const sizes: number[] = []
      const step = sendTo?.({ window: 100_000 }, (sent) => {
        sizes.push(JSON.stringify(sent).length)
        throw Object.assign(new Error(`prompt is too long${said}`), { status: 400 })
      })
      await expect(step?.(list(20))).rejects.toThrow('prompt is too long')
      expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => b - a))
    }
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
