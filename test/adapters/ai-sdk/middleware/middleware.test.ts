import { generateText, isStepCount, type ModelMessage, streamText, wrapLanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import {
  type ContextEvent,
  type ContextOptions,
  compactionMiddleware,
  summaryModelOf,
} from '../../../../src/adapters/ai-sdk/index.ts'
import { full } from '../../../support/full.ts'
import { type ModelServer, PROTOCOLS, type ProtocolName } from '../../../support/model-server/index.ts'
import { sdkModel } from '../../../support/model-server/sdk-model.ts'
import { generatesByStreaming, reader, TOOLS, WINDOW } from '../world.ts'

const QUESTION = 'Read the whole book, page by page. The code word is tangerine-88.'

function modelOf(server: ModelServer, protocol: ProtocolName, options: ContextOptions) {
  const middleware = [compactionMiddleware(options), generatesByStreaming]
  return wrapLanguageModel({ model: sdkModel(server, protocol), middleware })
}

async function streamed(
  model: ReturnType<typeof modelOf>,
  messages: ModelMessage[] = [{ role: 'user', content: QUESTION }],
) {
  const result = streamText({
    model,
    tools: TOOLS,
    messages,
    stopWhen: isStepCount(80),
    maxRetries: 0,
    onError: () => {},
  })
  await result.consumeStream()
  return { text: await result.text, messages: [...messages, ...(await result.responseMessages)] }
}

const PAGES = full ? 60 : 10
/** In the short form each protocol has one of the two long conversations. */
const [READING, REFUSING] = full
  ? [PROTOCOLS, PROTOCOLS]
  : ([
      ['anthropic', 'google'],
      ['chat', 'responses'],
    ] as const)

describe('an agent on wrapped models', () => {
  it.each(READING)(
    'reads a book larger than the window over %s, no request is too large or invalid, and a summary serves many',
    async (protocol) => {
      const server = await reader(PAGES)
      const { text } = await streamed(modelOf(server, protocol, { window: WINDOW }))
      expect(text).toBe('All pages are read.')
      expect(server.steps()).toBe(PAGES + 1)
      expect(server.violations).toEqual([])
      expect(server.summaries()).toBeGreaterThan(0)
      expect(server.summaries()).toBeLessThan((PAGES + 1) / 4)
      expect(JSON.stringify(server.requests.at(-1)?.request?.messages)).toContain('tangerine-88')
    },
  )

  it('works with generateText', async () => {
    const server = await reader(10)
    const { text } = await generateText({
      model: modelOf(server, 'anthropic', { window: WINDOW }),
      tools: TOOLS,
      prompt: QUESTION,
      stopWhen: isStepCount(80),
    })
    expect(text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
  })

  it('continues when no model can summarise', async () => {
    const server = await reader(8, { summaries: 'fail' })
    const { text } = await streamed(modelOf(server, 'chat', { window: WINDOW }))
    expect(text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
  }, 120_000)

  it('asks the summary model that it is given, or none', async () => {
    const [main, other] = [await reader(10), await reader(0)]
    await streamed(modelOf(main, 'chat', { window: WINDOW, summaryModels: [sdkModel(other, 'anthropic')] }))
    expect(other.summaries()).toBeGreaterThan(0)
    expect(main.summaries()).toBe(0)
    const alone = await reader(10)
    await streamed(modelOf(alone, 'chat', { window: WINDOW, summaryModels: [] }))
    expect(alone.summaries()).toBe(0)
    expect(alone.violations).toEqual([])
  })

  it('asks the next summary model when the first one fails', async () => {
    const [main, first, second] = [await reader(10), await reader(0, { summaries: 'fail' }), await reader(0)]
    const summaryModels = [sdkModel(first, 'anthropic'), summaryModelOf(sdkModel(second, 'anthropic'))]
    await streamed(modelOf(main, 'chat', { window: WINDOW, summaryModels }))
    expect(first.requests.length).toBeGreaterThan(0)
    expect(second.summaries()).toBeGreaterThan(0)
    expect(main.summaries()).toBe(0)
  })

  it('reports every reduction with the tokens before and after', async () => {
    const server = await reader(PAGES)
    const events: ContextEvent[] = []
    await streamed(modelOf(server, 'chat', { window: WINDOW, onEvent: (event) => events.push(event) }))
    const done = events.filter((event) => event.type === 'done')
    expect(done.length).toBeGreaterThan(0)
    for (const { tokensBefore, tokensAfter } of done) expect(tokensAfter).toBeLessThan(tokensBefore)
  })
})

describe('a conversation that comes again', () => {
  it('is known by its messages: the next call has no new summary', async () => {
    const server = await reader(10)
    const model = modelOf(server, 'chat', { window: WINDOW })
    const { messages } = await streamed(model)
    const before = server.summaries()
    expect(before).toBeGreaterThan(0)
    const again = structuredClone(messages)
    await streamed(model, [...again, { role: 'user', content: 'And now?' }])
    expect(server.summaries()).toBe(before)
    expect(server.violations).toEqual([])
  })

  it('is known to the next process by the state that the middleware gives back', async () => {
    const server = await reader(10)
    const first = compactionMiddleware({ window: WINDOW })
    expect(first.state()).toBeUndefined()
    const wrapped = (middleware: typeof first) =>
      wrapLanguageModel({ model: sdkModel(server, 'chat'), middleware: [middleware, generatesByStreaming] })
    const { messages } = await streamed(wrapped(first))
    const before = server.summaries()
    expect(before).toBeGreaterThan(0)
    const state: unknown = JSON.parse(JSON.stringify(first.state()))
    const said = [...structuredClone(messages), { role: 'user' as const, content: 'And now?' }]
    await streamed(wrapped(compactionMiddleware({ window: WINDOW, state })), said)
    expect(server.summaries()).toBe(before)
    expect(server.violations).toEqual([])
  })

  it('is known though the caller marks another message for the cache each time', async () => {
    const server = await reader(10)
    const done: ContextEvent[] = []
    const onEvent = (event: ContextEvent) => event.type === 'done' && done.push(event)
    const model = modelOf(server, 'anthropic', { window: WINDOW, onEvent })
    const { messages } = await streamed(model)
    const before = done.length
    expect(before).toBeGreaterThan(0)
    const marked = messages.map((message, i) =>
      i === 0 || i === 3
        ? { ...message, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
        : message,
    ) as ModelMessage[]
    await streamed(model, [...marked, { role: 'user', content: 'And now?' }])
    expect(done).toHaveLength(before)
  })

  it('is compacted again when its beginning was changed', async () => {
    const server = await reader(10)
    const done: ContextEvent[] = []
    const onEvent = (event: ContextEvent) => event.type === 'done' && done.push(event)
    const model = modelOf(server, 'chat', { window: WINDOW, onEvent })
    const { messages } = await streamed(model)
    const before = done.length
    await streamed(model, [
      { role: 'user', content: 'Something else' },
      ...messages.slice(1),
      { role: 'user', content: 'And now?' },
    ])
    // By masks or by a summary.
    expect(done.length).toBeGreaterThan(before)
    expect(server.violations).toEqual([])
  })
})

describe('a provider that refuses', () => {
  it.each(REFUSING)(
    'over %s is understood: the request is compacted, sent again, and the window is known from then on',
    async (protocol) => {
      const server = await reader(PAGES)
      const events: ContextEvent[] = []
      // A window that is larger than the true one.
      const model = modelOf(server, protocol, { window: WINDOW * 4, onEvent: (event) => events.push(event) })
      const { text } = await streamed(model)
      expect(text).toBe('All pages are read.')
      expect(events.some((event) => event.type === 'overflow')).toBe(true)
      const refused = server.requests.filter((record) => record.outcome === 'overflow')
      expect(refused.length).toBeGreaterThan(0)
      expect(refused.length).toBeLessThanOrEqual(2)
      expect(server.violations.length).toBe(refused.length)
    },
  )

  it('without a number teaches the window of its own conversation only', async () => {
    const server = await reader(0, { window: 200_000, faults: [{ at: 1, fault: { fault: 'overflow' } }] })
    const events: ContextEvent[] = []
    const model = modelOf(server, 'responses', { window: 200_000, onEvent: (event) => events.push(event) })
    const refused = await streamed(model, talk('short', 40))
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1)
    const { text } = await streamed(model, talk('another', 200))
    expect(text).toBe('All pages are read.')
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1)
    // The first one still believes in the smaller window.
    await streamed(model, [...refused.messages, ...talk('more', 100)])
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(2)
  })

  it('without a number teaches no window below a request that was answered', async () => {
    const server = await reader(0, { window: 200_000, faults: [{ at: [2, 3, 4], fault: { fault: 'overflow' } }] })
    const events: ContextEvent[] = []
    const model = modelOf(server, 'responses', { window: 200_000, onEvent: (event) => events.push(event) })
    const answered = await streamed(model, talk('long', 200))
    const refused = await streamed(model, [...answered.messages, { role: 'user', content: 'Go on.' }])
    expect(refused.text).toBe('All pages are read.')
    const done = events.filter(({ type }) => type === 'done').length
    await streamed(model, [...refused.messages, ...talk('more', 40)])
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(done)
  })

  it('is asked by generateText again too', async () => {
    const server = await reader(10)
    const model = modelOf(server, 'chat', { window: WINDOW * 4 })
    const { text } = await generateText({ model, tools: TOOLS, prompt: QUESTION, stopWhen: isStepCount(80) })
    expect(text).toBe('All pages are read.')
    expect(server.requests.some((record) => record.outcome === 'overflow')).toBe(true)
  })

  it('is not asked again when automatic compaction is off', async () => {
    const server = await reader(12)
    const model = modelOf(server, 'chat', { window: WINDOW, policy: { mode: 'off' } })
    const events = streamText({
      model,
      tools: TOOLS,
      prompt: QUESTION,
      stopWhen: isStepCount(80),
      maxRetries: 0,
      onError: () => {},
    })
    const errors = []
    for await (const part of events.fullStream) if (part.type === 'error') errors.push(part.error)
    expect(errors).toHaveLength(1)
    expect(server.summaries()).toBe(0)
    expect(server.requests.filter((record) => record.outcome === 'overflow')).toHaveLength(1)
  })
})

describe('a report that cannot be right', () => {
  it('is an event, and no request is too large because of it', async () => {
    const server = await reader(PAGES, {
      reports: (usage) => ({ ...usage, input: 1_000, cacheRead: 0, cacheWrite: 0 }),
    })
    const events: ContextEvent[] = []
    // The server counts the JSON around each message too, which an estimate cannot know without reports.
    const options = {
      window: WINDOW,
      policy: { triggerPercent: 50 },
      onEvent: (event: ContextEvent) => events.push(event),
    }
    const { text } = await streamed(modelOf(server, 'chat', options))
    expect(text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
    const doubts = events.flatMap((event) => (event.type === 'doubt' ? [event] : []))
    expect(doubts.length).toBeGreaterThan(0)
    for (const { reported, tokens } of doubts) expect(tokens).toBeGreaterThan(reported * 0.9)
  })
})

describe('a prompt that needs nothing', () => {
  it.each(PROTOCOLS)('goes out over %s as if there were no middleware', async (protocol) => {
    const [bare, wrapped] = [await reader(2), await reader(2)]
    await streamed(sdkModel(bare, protocol))
    await streamed(modelOf(wrapped, protocol, { window: WINDOW }))
    const bodies = (server: ModelServer) => server.requests.map(({ body }) => withoutIds(body))
    expect(bodies(wrapped)).toEqual(bodies(bare))
  })
})

/** A conversation of about a hundred tokens a turn. */
function talk(of: string, turns: number): ModelMessage[] {
  return Array.from({ length: turns }, (_, i) => [
    { role: 'user' as const, content: `${of} ${i}: ${'what does this page say? '.repeat(8)}` },
    { role: 'assistant' as const, content: `${of} ${i}: ${'it says that all is well. '.repeat(8)}` },
  ])
    .flat()
    .slice(0, -1)
}

/** The server's ids differ from server to server. */
function withoutIds(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replace(/sig_[0-9a-f]{40}|[a-z]+_[0-9a-f]{12}\d{6}/g, 'id'))
}
