import { describe, expect, it } from 'vitest'
import type { ModelCall } from '../../../src/llm/call/chat-model.ts'
import { asSummaryModel, warmModelOf } from '../../../src/llm/summary-models-for.ts'
import type { AssistantMessage, Message } from '../../../src/model/types.ts'
import { costOf } from '../../../src/tokens/cost.ts'
import { finishOf, KEY, modelAt } from '../support/ask.ts'
import { anthropic, openai, PROTOCOLS } from '../support/protocols.ts'
import { events, type Json, serve } from '../support/server.ts'

const TOOLS = [
  { name: 'read', description: 'Reads', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
  { name: 'bash', description: 'Runs', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } },
]

/** A conversation of several steps; each call is one more request of it. */
const STEPS: readonly ModelCall[] = [1, 3, 5, 7].map((count) => ({
  system: ['You are an agent.', 'Instructions of the project.'],
  tools: TOOLS,
  messages: conversation().slice(0, count),
  cacheKey: 'session-1',
}))

describe.each(PROTOCOLS)('requests over $kind', (protocol) => {
  it('say the same call in the same bytes every time', async () => {
    const { url, received } = await serve(events(protocol.answer({ text: 'ok' })))
    for (let i = 0; i < 2; i++) await finishOf(modelAt(url, protocol), STEPS[3])
    expect(received[1]?.text).toBe(received[0]?.text)
  })

  it('begin with all that the one before them said', async () => {
    const bodies = await sent(protocol.answer({ text: 'ok' }))
    for (const [former, next] of pairs(bodies)) {
      const [a, b] = [withoutMarks(former), withoutMarks(next)]
      const key = ['messages', 'input', 'contents'].find((name) => name in a) ?? ''
      expect(b[key].slice(0, a[key].length)).toEqual(a[key])
      expect({ ...b, [key]: [] }).toEqual({ ...a, [key]: [] })
    }
  })

  it('of a warm summary are the last request, and the directive after it', async () => {
    const { url, received } = await serve(events(protocol.answer({ text: 'summary' })))
    const model = modelAt(url, protocol)
    const call = STEPS[3] as ModelCall
    await finishOf(model, call)
    const warm = warmModelOf({ ...model, cacheLifetimeMs: 1_000 }, { call: () => call, at: 5_000 }, 5_500)
    const chunks = []
    for await (const chunk of warm?.stream('Summarise.', new AbortController().signal) ?? []) chunks.push(chunk)
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'stop', usage: { inputTokens: 100 } })
    const [last, asked] = received.map(({ body }) => flat(withoutMarks(body)))
    const directive = JSON.stringify(asked?.slice(last?.length))
    expect(asked?.slice(0, last?.length)).toEqual(last)
    expect(directive).toContain('Summarise.')
    expect(directive.length).toBeLessThan(120)
  })

  async function sent(answer: readonly string[]): Promise<Json[]> {
    const { url, received } = await serve(events(answer))
    for (const call of STEPS) await finishOf(modelAt(url, protocol), call)
    return received.map(({ body }) => body)
  }
})

describe('the marks of Anthropic', () => {
  it('are four at most: after the system prompt, the first message, the former end and the end', async () => {
    const { url, received } = await serve(events(anthropic.answer({ text: 'ok' })))
    for (const call of STEPS) await finishOf(modelAt(url, anthropic), call)
    expect(received.map(({ body }) => marksOf(body))).toEqual([
      ['system 1', 'message 0'],
      ['system 1', 'message 0', 'message 2'],
      ['system 1', 'message 0', 'message 2', 'message 4'],
      ['system 1', 'message 0', 'message 4', 'message 6'],
    ])
  })

  it('are at the end of the former request, even after more parallel calls than Anthropic looks back', async () => {
    const { url, received } = await serve(events(anthropic.answer({ text: 'ok' })))
    const many = Array.from({ length: 30 }, (_, i) => `c${i}`)
    const [first] = conversation()
    const results = many.map((id): Message => ({ role: 'tool', content: [resultOf(id)] }))
    const messages = [first as Message, callsMessage(many), ...results]
    await finishOf(modelAt(url, anthropic), { system: ['x'], tools: TOOLS, messages: messages.slice(0, 1) })
    await finishOf(modelAt(url, anthropic), { system: ['x'], tools: TOOLS, messages })
    expect(marksOf(received[1]?.body)).toEqual(['system 0', 'message 0', 'message 2'])
    expect(received[1]?.body.messages[2].content.at(-1).cache_control).toEqual({ type: 'ephemeral' })
  })

  it('of a warm summary keep the end of the last request', async () => {
    const { url, received } = await serve(events(anthropic.answer({ text: 'ok' })))
    const model = modelAt(url, anthropic)
    const call = { ...(STEPS[1] as ModelCall), messages: [...conversation().slice(0, 3)] }
    const warm = warmModelOf({ ...model, cacheLifetimeMs: 1_000 }, { call: () => call, at: 0 }, 10)
    for await (const _ of warm?.stream('Summarise.', new AbortController().signal) ?? []);
    // Anthropic joins the directive with the results before it: the mark is on the last result.
    const [, result, directive] = received[0]?.body.messages[2].content ?? []
    expect(result).toMatchObject({ type: 'tool_result', cache_control: { type: 'ephemeral' } })
    expect(directive).toMatchObject({ type: 'text', text: 'Summarise.' })
  })
})

describe('the session', () => {
  it('is named to OpenAI, which keeps nothing else of it', async () => {
    const { url, received } = await serve(events(openai.answer({ text: 'ok' })))
    await finishOf(modelAt(url, openai), STEPS[0])
    expect(received[0]?.body).toMatchObject({ prompt_cache_key: 'session-1', store: false })
  })
})

describe('a warm model', () => {
  it('is not offered when the provider has forgotten the last request, or never says how long it remembers', async () => {
    const { url } = await serve()
    const model = modelAt(url, anthropic)
    const last = { call: () => STEPS[0] as ModelCall, at: 0 }
    expect(warmModelOf({ ...model, cacheLifetimeMs: 300_000 }, last, 300_001)).toBeUndefined()
    expect(warmModelOf({ ...model, cacheLifetimeMs: undefined }, last, 1)).toBeUndefined()
  })
})

describe('a request without tools', () => {
  it.each(PROTOCOLS)('over $kind says calls and results as text', async (protocol) => {
    const { url, received } = await serve(events(protocol.answer({ text: 'ok' })))
    const request = { system: 'Summarise', messages: conversation(), maxOutputTokens: 100 }
    for await (const _ of asSummaryModel(modelAt(url, protocol)).stream(request, new AbortController().signal));
    const text = received[0]?.text ?? ''
    expect(text).toContain('contents of c1')
    expect(text).not.toMatch(/tool_use|tool_calls|function_call|functionCall|functionResponse|"tools"/)
  })
})

function conversation(): Message[] {
  return [
    { role: 'user', content: 'Fix the bug' },
    callsMessage(['c1', 'c2']),
    { role: 'tool', content: [resultOf('c1'), resultOf('c2')] },
    callsMessage(['c3']),
    { role: 'tool', content: [resultOf('c3')] },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks. Now the tests' },
  ]
}

function callsMessage(ids: readonly string[]): AssistantMessage {
  return {
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path: `${id}.ts` } })),
  }
}

function resultOf(id: string) {
  const output = { type: 'text', value: `contents of ${id}` } as const
  return { type: 'tool-result', toolCallId: id, toolName: 'read', output } as const
}

function pairs<T>(list: readonly T[]): [T, T][] {
  return list.slice(1).map((item, index) => [list[index] as T, item])
}

function withoutMarks(body: Json): Json {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value)))
}

/** The parts of a request one after the other, as a provider reads them. */
function flat(body: Json): string[] {
  const { messages, input, contents, ...rest } = body
  const list: Json[] = messages ?? input ?? contents
  const parts = list.flatMap((message) => {
    const { content, parts: own, ...others } = message
    const inner = content ?? own
    return Array.isArray(inner) ? inner.map((part) => ({ ...others, part })) : [message]
  })
  return [JSON.stringify(rest), ...parts.map((part) => JSON.stringify(part))]
}

function marksOf(body: Json): string[] {
  const marked = (list: Json[], name: string) =>
    list.flatMap((item, index) => (JSON.stringify(item).includes('cache_control') ? [`${name} ${index}`] : []))
  return [...marked(body.tools ?? [], 'tool'), ...marked(body.system, 'system'), ...marked(body.messages, 'message')]
}

describe('a cache of an hour', () => {
  it('is asked for in every mark, and priced as one', async () => {
    const { url, received } = await serve(events(anthropic.answer({ text: 'fine' }).map(hourWritten)))
    const model = modelAt(url, anthropic, {
      providers: { anthropic: { baseUrl: `${url}/v1`, apiKey: KEY, cacheLifetime: '1h' } },
    })
    const { usage } = await finishOf(model)
    expect(model.cacheLifetimeMs).toBe(3_600_000)
    const marks = received[0]?.text.match(/"cache_control":\{[^}]*\}/g)
    expect(new Set(marks)).toEqual(new Set(['"cache_control":{"type":"ephemeral","ttl":"1h"}']))
    expect(usage).toMatchObject({ cacheWriteTokens: 40, cacheWriteHourTokens: 40 })
    if (usage !== undefined)
      expect(costOf(usage, { input: 1, output: 0, cacheWrite: 1.25 })).toBeCloseTo((100 + 2 * 40) / 1e6, 12)
  })

  it('is not asked for if it is not wanted', async () => {
    const { url, received } = await serve(events(anthropic.answer({ text: 'fine' })))
    await finishOf(modelAt(url, anthropic))
    expect(received[0]?.text).toContain('"cache_control":{"type":"ephemeral"}')
    expect(received[0]?.text).not.toContain('ttl')
  })
})

/** The report of a request that wrote 40 tokens into the cache of an hour. */
function hourWritten(event: string): string {
  return event.replace(
    '"cache_creation_input_tokens":0',
    '"cache_creation_input_tokens":40,"cache_creation":{"ephemeral_1h_input_tokens":40,"ephemeral_5m_input_tokens":0}',
  )
}
