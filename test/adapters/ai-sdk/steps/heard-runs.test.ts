import { isStepCount, type LanguageModel, type ModelMessage, streamText, tool } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type ContextEvent, contextManager, createSession } from '../../../../src/adapters/ai-sdk/index.ts'
import { isSummarising, startModelServer } from '../../../support/model-server/index.ts'
import { sdkModel } from '../../../support/model-server/sdk-model.ts'
import { reader, SUMMARY, TOOLS, WINDOW } from '../world.ts'

const stopWhen = isStepCount(60)
const prompt = 'Read the whole book, page by page.'

describe('a run whose requests are observed', () => {
  it.each(['a manager', 'a session'])('has its summaries from the cache of its own model, with %s', async (kind) => {
    const server = await reader(12)
    const model = sdkModel(server, 'chat')
    const events: ContextEvent[] = []
    const options = { window: WINDOW, onEvent: (event: ContextEvent) => events.push(event) }
    const { prepareStep } = kind === 'a manager' ? contextManager(options) : await createSession({ ...options, model })
    const result = streamText({ model, tools: TOOLS, prompt, stopWhen, prepareStep })
    await result.consumeStream()
    expect(await result.text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
    expect(events.flatMap((event) => (event.type === 'done' ? [event.rung] : []))).toContain('warm')
    const warm = server.requests.find(({ summarising, outcome }) => summarising && outcome === 'answered')
    expect(warm?.usage?.cacheRead).toBeGreaterThan((warm?.tokens ?? 0) / 2)
  })

  it('asks another model that is named for its summaries instead', async () => {
    const server = await reader(10)
    const events: ContextEvent[] = []
    const { prepareStep } = contextManager({
      window: WINDOW,
      summaryModels: [sdkModel(server, 'chat')],
      onEvent: (event) => events.push(event),
    })
    await streamText({ model: sdkModel(server, 'chat'), tools: TOOLS, prompt, stopWhen, prepareStep }).consumeStream()
    expect(events.some((event) => event.type === 'rung' && event.rung === 'warm')).toBe(false)
  })

  it('counts fourteen large tools that it was not given: no request is too large', async () => {
    const large = Array.from({ length: 14 }, (_, i) => [
      `tool_${i}`,
      tool({
        description: `Does the work ${i}. ${'It takes care of many things that have to be told. '.repeat(60)}`,
        inputSchema: z.object({ path: z.string() }),
        execute: async () => 'ok',
      }),
    ])
    const tools = { ...Object.fromEntries(large), ...TOOLS }
    const window = 24_000
    const server = await reader(14, { window })
    const { prepareStep } = contextManager({ window })
    const result = streamText({ model: sdkModel(server, 'chat'), tools, prompt, stopWhen, prepareStep })
    await result.consumeStream()
    expect(await result.text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
  })

  it('has no word of a run that began with the same list', async () => {
    const server = await startModelServer({
      window: WINDOW,
      brain: (request) => {
        if (isSummarising(request)) return { text: SUMMARY }
        const pages = JSON.stringify(request.messages).match(/page-\d+/g)?.length ?? 0
        return { text: `Now page ${pages}.`, calls: [{ name: 'read', input: { path: `page-${pages}.txt` } }] }
      },
    })
    onTestFinished(() => server.close())
    const model = sdkModel(server, 'chat')
    const { prepareStep } = contextManager({ window: WINDOW, policy: { rungs: ['warm', 'cold', 'digest'] } })
    const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
    const run = async (name: string, steps: number, before: () => Promise<void>) => {
      const execute = async () => {
        await before()
        return `said to ${name}\n${'a line of the page, one of many\n'.repeat(80)}`
      }
      const read = tool({ inputSchema: z.object({ path: z.string() }), execute })
      const instructions = `You are said to ${name}.`
      const options = { model, tools: { read }, messages, instructions, stopWhen: isStepCount(steps), prepareStep }
      await streamText(options).consumeStream()
    }
    // While a tool of the first run works, another run asks and is answered.
    await run('one', 20, () => run('two', 1, async () => undefined))
    expect(server.requests.filter(({ summarising }) => summarising).length).toBeGreaterThan(0)
    const asked = server.requests.map(({ request }) => JSON.stringify(request))
    expect(asked.filter((text) => text.includes('said to one') && text.includes('said to two'))).toEqual([])
  })

  it('counts tools that were given before the first request', async () => {
    const server = await reader(0)
    const model: LanguageModel = sdkModel(server, 'chat')
    const messages = [{ role: 'user' as const, content: 'hello' }]
    const tools = { big: tool({ description: 'word '.repeat(2_000), inputSchema: z.object({}) }) }
    const pith = contextManager({ window: WINDOW, tools })
    await streamText({ model, tools, messages, prepareStep: pith.prepareStep }).consumeStream()
    expect(pith.status(messages, model).tokens).toBeGreaterThan(1_500)
  })

  it('is with the very model that it was given: what else it has can be read', async () => {
    const server = await reader(0)
    const model = sdkModel(server, 'chat')
    const step = {
      model,
      steps: [],
      messages: [],
      initialMessages: [],
      responseMessages: [],
      initialInstructions: undefined,
    }
    const prepared = await contextManager({ window: WINDOW }).prepareStep(step)
    expect(prepared.model).toMatchObject({
      provider: model.provider,
      modelId: model.modelId,
      specificationVersion: 'v4',
      constructor: model.constructor,
    })
    expect(prepared.model).toBeInstanceOf(model.constructor)
  })
})
