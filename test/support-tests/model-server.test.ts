import type { ModelMessage } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../src/llm/call/chat-model.ts'
import { type Answer, type ModelServer, PROTOCOLS } from '../support/model-server/index.ts'
import { ourModel } from '../support/model-server/our-model.ts'
import { signatureOf } from '../support/model-server/signature.ts'
import { ask, HELLO } from './ask.ts'
import { post, raw } from './raw.ts'
import { closeServers, serve } from './serve.ts'

afterEach(closeServers)

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

  it('so that reasoning is read, counted and taken back as it was', async () => {
    const call = { name: 'read', input: { path: 'a.ts', more: 1 } }
    const server = await serve(({ messages }) =>
      messages.length === 1 ? { reasoning: 'First I look. '.repeat(9), calls: [call] } : { text: 'Done.' },
    )
    const first = await ask(server, protocol)
    expect(first).toMatchObject({ errors: [], reasoning: 'First I look. '.repeat(9) })
    expect(first.usage?.outputTokenDetails.reasoningTokens).toBe(35)
    const second = await ask(server, protocol, [...HELLO, ...(first.messages ?? []), resultsOf(first.messages ?? [])])
    expect(second).toMatchObject({ errors: [], text: 'Done.' })
    expect(server.violations).toEqual([])
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

describe.each(PROTOCOLS)('the model server validates %s', (protocol) => {
  const user = { user: 'hi' }

  it.each([
    ['a call without its result', [user, { calls: ['a', 'b'] }, { results: ['a'] }]],
    ['a call without any result', [user, { calls: ['a'] }, user]],
    ['a result without its call', [user, { results: ['a'] }]],
    ['an id that two calls share', [user, { calls: ['a'] }, { results: ['a'] }, { calls: ['a'] }, { results: ['a'] }]],
    ['two results of one call', [user, { calls: ['a'] }, { results: ['a', 'a'] }]],
    ['an assistant that speaks first', [{ assistant: 'hi' }, user]],
    ['an empty text', [{ user: '' }]],
    ['a system message in the middle', [user, { assistant: 'yes' }, { system: 'obey' }, user]],
    ['no messages', []],
  ])('%s is refused and recorded', async (_, turns) => {
    const server = await serve({ text: 'no' })
    const { status, text } = await post(server, protocol, raw(protocol, turns))
    expect(status).toBe(400)
    expect(server.violations.length).toBeGreaterThan(0)
    expect(text).toContain(JSON.stringify(server.violations[0]?.problem).slice(1, -1))
    expect(server.requests).toMatchObject([{ outcome: 'invalid' }])
  })

  it('calls are refused when no tools are declared', async () => {
    const server = await serve({ text: 'no' })
    const turns = [user, { calls: ['a'] }, { results: ['a'] }]
    expect(await post(server, protocol, raw(protocol, turns, { tools: false }))).toMatchObject({ status: 400 })
    expect(server.violations).toHaveLength(1)
  })

  it('a valid conversation with parallel calls is answered', async () => {
    const server = await serve({ text: 'fine' })
    const turns = [user, { calls: ['a', 'b'] }, { results: ['b', 'a'] }, { assistant: 'so' }, user]
    expect(await post(server, protocol, raw(protocol, turns))).toMatchObject({ status: 200 })
    expect(server.violations).toEqual([])
  })

  it('a body of another shape is refused', async () => {
    const server = await serve({ text: 'no' })
    expect(await post(server, protocol, { hello: 1 })).toMatchObject({ status: 400 })
    expect(server.violations).toHaveLength(1)
  })
})

describe('the place of a result', () => {
  it('Anthropic refuses a text before a result, and results that come a message later', async () => {
    const server = await serve({ text: 'no' })
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] }
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'x' }
    const late = { role: 'user', content: [{ type: 'text', text: 'first this' }, result] }
    const body = raw('anthropic', [{ user: 'hi' }])
    const first = { role: 'user', content: 'hi' }
    await post(server, 'anthropic', { ...body, messages: [first, call, late] })
    await post(server, 'anthropic', { ...body, messages: [first, call, first, { role: 'user', content: [result] }] })
    expect(server.requests.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid'])
  })

  it('OpenAI refuses a message between a call and its result', async () => {
    const server = await serve({ text: 'no' })
    await post(server, 'chat', raw('chat', [{ user: 'hi' }, { calls: ['a'] }, { user: 'so' }, { results: ['a'] }]))
    expect(server.violations.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('must be followed by tool messages'),
      expect.stringContaining("messages with role 'tool' must be a response"),
    ])
  })

  it('the Responses API refuses a reference to an item that it never made', async () => {
    const server = await serve({ text: 'no' })
    const input = [
      { role: 'user', content: 'hi' },
      { type: 'item_reference', id: 'msg_1' },
    ]
    await post(server, 'responses', { ...raw('responses', []), input })
    expect(server.violations).toMatchObject([{ problem: "Item with id 'msg_1' not found." }])
  })
})

describe('reasoning that comes back', () => {
  it('Anthropic refuses it when it was changed', async () => {
    const server = await serve({ text: 'no' })
    const thinking = { type: 'thinking', thinking: 'changed', signature: signatureOf('as it was') }
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'so' }] },
      { role: 'user', content: 'go on' },
    ]
    await post(server, 'anthropic', { ...raw('anthropic', []), messages })
    expect(server.violations).toMatchObject([{ problem: expect.stringContaining('Invalid `signature`') }])
  })

  it('Google refuses a signature that is not whole', async () => {
    const server = await serve({ text: 'no' })
    const call = { functionCall: { id: 'a', name: 'read', args: { path: 'x' } }, thoughtSignature: 'thought_1.sig_' }
    const result = { functionResponse: { id: 'a', name: 'read', response: { content: 'x' } } }
    const contents = [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [call] },
      { role: 'user', parts: [result] },
    ]
    await post(server, 'google', { ...raw('google', []), contents })
    expect(server.violations).toMatchObject([{ problem: 'Thought signature is not valid.' }])
  })

  it('the Responses API refuses it without what followed it, and when it was changed', async () => {
    const server = await serve({ text: 'no' })
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: signatureOf('as it was') }
    const user = { role: 'user', content: 'hi' }
    await post(server, 'responses', { ...raw('responses', []), input: [user, reasoning, user] })
    expect(server.violations).toMatchObject([
      { problem: expect.stringContaining('without its required following item') },
      { problem: expect.stringContaining('could not be verified') },
    ])
  })
})

describe.each(PROTOCOLS)('the accounting of %s', (protocol) => {
  it('counts system, tools and messages of the request', async () => {
    const server = await serve({ text: 'ok' })
    const small = await ask(server, protocol)
    const large = await ask(server, protocol, [{ role: 'user', content: `Hello${'x'.repeat(3_600)}` }])
    expect((large.usage?.inputTokens ?? 0) - (small.usage?.inputTokens ?? 0)).toBe(1_000)
    expect(small.usage?.inputTokens).toBeGreaterThan(30)
  })

  it('refuses what exceeds the window as the provider does, and records it', async () => {
    const server = await serve({ text: 'ok' }, { window: 1_000 })
    const { errors } = await ask(server, protocol, [{ role: 'user', content: 'x'.repeat(3_600) }])
    expect(JSON.stringify(errors)).toMatch(
      /prompt is too long: \d+ tokens > 1000 maximum|context_length_exceeded|exceeds the maximum number of tokens allowed \(1000\)/,
    )
    expect(server.violations).toMatchObject([{ number: 1, problem: expect.stringContaining('the window 1000') }])
  })

  it('reads the cache for a prefix that an earlier request had', async () => {
    const server = await serve({ text: 'ok' })
    const first = [{ role: 'user' as const, content: 'x'.repeat(3_600), providerOptions: CACHED }]
    const second = [...first, { role: 'assistant' as const, content: 'ok' }, ...HELLO]
    const cold = await ask(server, protocol, first)
    const warm = await ask(server, protocol, second)
    const other = await ask(server, protocol, [{ role: 'user', content: `y${'x'.repeat(3_600)}` }])
    expect(cold.usage?.inputTokenDetails.cacheReadTokens).toBe(0)
    expect(warm.usage?.inputTokenDetails.cacheReadTokens).toBeGreaterThan(1_000)
    expect(warm.usage?.inputTokenDetails.cacheReadTokens).toBeLessThan(warm.usage?.inputTokens ?? 0)
    expect(other.usage?.inputTokenDetails.cacheReadTokens).toBeLessThan(200)
  })
})

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } }

describe('the cache of Anthropic', () => {
  const long = { role: 'user' as const, content: 'x'.repeat(3_600) }

  it('is written and read at breakpoints only', async () => {
    const server = await serve({ text: 'ok' })
    await ask(server, 'anthropic', [long])
    await ask(server, 'anthropic', [{ ...long, providerOptions: CACHED }])
    await ask(server, 'anthropic', [{ ...long, providerOptions: CACHED }])
    const details = server.requests.map(({ usage }) => [usage?.cacheRead, usage?.cacheWrite])
    const { tokens = 0 } = server.requests[1] ?? {}
    expect(details).toEqual([
      [0, 0],
      [0, tokens],
      [tokens, 0],
    ])
  })

  it('is looked up at most 20 blocks before a breakpoint', async () => {
    const server = await serve({ text: 'ok' })
    const turns = (count: number) =>
      Array.from({ length: count }, () => [
        { role: 'assistant' as const, content: 'yes' },
        { role: 'user' as const, content: 'and', providerOptions: undefined },
      ]).flat()
    const marked = (count: number) => [long, ...turns(count), { role: 'assistant' as const, content: 'so' }, ...HELLO]
    const withMark = (messages: ReturnType<typeof marked>) =>
      messages.map((message, i) => (i === messages.length - 1 ? { ...message, providerOptions: CACHED } : message))
    await ask(server, 'anthropic', [{ ...long, providerOptions: CACHED }])
    await ask(server, 'anthropic', withMark(marked(5)))
    await ask(server, 'anthropic', withMark(marked(40)))
    expect(server.requests.map(({ usage }) => usage?.cacheRead)).toEqual([0, server.requests[0]?.tokens, 0])
  })

  it('forgets what was not requested in its lifetime', async () => {
    let now = 0
    const server = await serve({ text: 'ok' }, { cacheLifetimeMs: 300, clock: () => now })
    for (now of [0, 250, 500, 900]) await ask(server, 'anthropic', [{ ...long, providerOptions: CACHED }])
    const { tokens } = server.requests[0] ?? {}
    expect(server.requests.map(({ usage }) => usage?.cacheRead)).toEqual([0, tokens, tokens, 0])
  })

  it('has at most four breakpoints', async () => {
    const server = await serve({ text: 'ok' })
    const block = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }
    const messages = [{ role: 'user', content: Array.from({ length: 5 }, () => block) }]
    expect(await post(server, 'anthropic', { ...raw('anthropic', []), messages })).toMatchObject({ status: 400 })
    expect(server.violations[0]?.problem).toContain('A maximum of 4 blocks')
  })
})

describe.each(PROTOCOLS)('faults of %s', (protocol) => {
  const answer: Answer = { text: 'word '.repeat(200) }

  it.each([
    ['rate-limit', 429],
    ['server-error', 500],
    ['overloaded', protocol === 'anthropic' ? 529 : 503],
  ] as const)('%s is an error with status %d', async (fault, statusCode) => {
    const server = await serve(answer, { faults: [{ at: 1, fault: { fault, retryAfterSeconds: 7 } }] })
    const { errors } = await ask(server, protocol)
    expect(errors).toMatchObject([{ statusCode }])
    if (fault === 'rate-limit') expect(errors).toMatchObject([{ responseHeaders: { 'retry-after': '7' } }])
    expect(await ask(server, protocol)).toMatchObject({ errors: [], text: answer.text })
  })

  it.each(['reset', 'reset-in-stream', 'malformed', 'error-in-stream', 'overflow'] as const)(
    '%s is an error for the client',
    async (fault) => {
      const server = await serve(answer, { faults: [{ at: 1, fault: { fault } }] })
      const { errors, parts } = await ask(server, protocol)
      expect(errors.length).toBeGreaterThan(0)
      expect(parts.includes('text-delta')).toBe(['reset-in-stream', 'malformed', 'error-in-stream'].includes(fault))
      expect(server.requests).toMatchObject([{ outcome: fault }])
      expect(server.violations).toEqual([])
    },
  )

  it('a truncated stream ends in the middle without a reason', async () => {
    const server = await serve(answer, { faults: [{ at: 1, fault: { fault: 'truncated' } }] })
    const cut = await ask(server, protocol)
    expect(cut.errors.length > 0 || !['stop', 'length'].includes(cut.finish ?? '')).toBe(true)
    expect(cut.parts).toContain('text-delta')
  })

  it.each(['silence', 'silence-in-stream'] as const)('%s lasts until the client goes away', async (fault) => {
    const server = await serve(answer, { faults: [{ at: 1, fault: { fault } }] })
    const abort = new AbortController()
    const asked = ask(server, protocol, HELLO, { abortSignal: abort.signal })
    await expect.poll(() => server.requests[0]?.outcome).toBe(fault)
    abort.abort()
    expect((await asked.catch(() => ({ parts: ['abort'] }))).parts).toContain('abort')
    await expect.poll(() => server.requests[0]?.aborted).toBe(true)
  })

  it('a slow stream comes whole', async () => {
    const server = await serve({ text: 'short' }, { faults: [{ at: 1, fault: { fault: 'slow', pauseMs: 1 } }] })
    expect(await ask(server, protocol)).toMatchObject({ errors: [], text: 'short' })
  })
})

describe('when faults happen', () => {
  const outcomes = async (server: ModelServer, count: number) => {
    for (let i = 0; i < count; i++) await post(server, 'chat', raw('chat', [{ user: `${i}` }]))
    return server.requests.map(({ outcome }) => outcome)
  }

  it('by number, and by predicate as often as said', async () => {
    const server = await serve(
      { text: 'ok' },
      {
        faults: [
          { at: [2], fault: { fault: 'server-error' } },
          { when: (_, number) => number >= 2, times: 2, fault: { fault: 'overloaded' } },
        ],
      },
    )
    expect(await outcomes(server, 5)).toEqual(['answered', 'server-error', 'overloaded', 'answered', 'answered'])
  })

  it('at random, the same for the same seed', async () => {
    const run = async (seed: number) =>
      outcomes(await serve({ text: 'ok' }, { faults: [{ chance: 0.5, seed, faults: [{ fault: 'overloaded' }] }] }), 20)
    const once = await run(1)
    expect(once).toContain('overloaded')
    expect(once).toContain('answered')
    expect(await run(1)).toEqual(once)
    expect(await run(2)).not.toEqual(once)
  })

  it('for all requests that ask for a summary, if the server is set so', async () => {
    const server = await serve({ text: 'ok' }, { summaries: 'fail' })
    await post(server, 'chat', raw('chat', [{ user: 'summarise' }], { tools: false }))
    await post(server, 'chat', raw('chat', [{ user: 'go on' }]))
    expect(server.requests).toMatchObject([
      { outcome: 'server-error', summarising: true },
      { outcome: 'answered', summarising: false },
    ])
  })

  it('when a brain says so', async () => {
    const server = await serve(() => ({ fault: 'overloaded' }))
    expect(await outcomes(server, 1)).toEqual(['overloaded'])
  })
})

describe('a model of ours', () => {
  it.each(PROTOCOLS)('talks with the server over %s, and gets the truth about its size', async (protocol) => {
    const server = await serve({ text: 'ok' }, { window: 2_000, faults: [{ at: 1, fault: { fault: 'overloaded' } }] })
    const model = ourModel(server, protocol, { window: 2_000 })
    const events = async (content: string) => {
      const all: ModelEvent[] = []
      const call = { system: ['You are a test.'], messages: [{ role: 'user' as const, content }] }
      for await (const event of model.stream(call)) all.push(event)
      return all
    }
    expect(await events('Hello')).toMatchObject([
      { type: 'retry' },
      { type: 'text', text: 'ok' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: server.requests[1]?.tokens } },
    ])
    expect(await events('x'.repeat(7_200))).toMatchObject([{ type: 'failed', failure: { kind: 'overflow' } }])
    expect(server.violations).toHaveLength(1)
  })
})

describe('the rest of a provider', () => {
  it('lists its models', async () => {
    const server = await serve({ text: 'ok' }, { models: ['one', 'two'], window: 8_192 })
    const response = await fetch(`${server.url}/v1/models`)
    expect(await response.json()).toMatchObject({ data: [{ id: 'one', max_model_len: 8_192 }, { id: 'two' }] })
  })

  it.each(PROTOCOLS)('refuses another key over %s', async (protocol) => {
    const server = await serve({ text: 'ok' }, { apiKey: 'right' })
    expect((await ask(server, protocol, HELLO, { apiKey: 'wrong' })).errors).toMatchObject([{ statusCode: 401 }])
    expect(await ask(server, protocol, HELLO, { apiKey: 'right' })).toMatchObject({ text: 'ok' })
  })
})
