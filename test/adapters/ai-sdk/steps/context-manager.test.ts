import { generateText, isStepCount, type ModelMessage, streamText, ToolLoopAgent, wrapLanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { contextManager } from '../../../../src/adapters/ai-sdk/index.ts'
import { full } from '../../../support/full.ts'
import { type ModelServer, PROTOCOLS } from '../../../support/model-server/index.ts'
import { sdkModel } from '../../../support/model-server/sdk-model.ts'
import { generatesByStreaming, reader, TOOLS, WINDOW } from '../world.ts'

const QUESTION = 'Read the whole book, page by page. The code word is tangerine-88.'
const stopWhen = isStepCount(80)

function lastMessages(server: ModelServer): string {
  return JSON.stringify(server.requests.at(-1)?.request?.messages)
}

describe('prepareStep', () => {
  // The agent of the terminal does the same over all four in each run of the tests.
  it.each(full ? PROTOCOLS : (['anthropic', 'responses'] as const))(
    'keeps the steps of streamText inside the window over %s',
    async (protocol) => {
      const server = await reader(12)
      const pith = contextManager({ window: WINDOW })
      const result = streamText({
        model: sdkModel(server, protocol),
        instructions: 'You read books.',
        tools: TOOLS,
        prompt: QUESTION,
        stopWhen,
        prepareStep: pith.prepareStep,
      })
      await result.consumeStream()
      expect(await result.text).toBe('All pages are read.')
      expect(server.violations).toEqual([])
      expect(server.summaries()).toBeGreaterThan(0)
      expect(server.summaries()).toBeLessThan(10)
      expect(lastMessages(server)).toContain('tangerine-88')
    },
  )

  it('keeps an agent inside the window', async () => {
    const server = await reader(12)
    const agent = new ToolLoopAgent({
      model: sdkModel(server, 'chat'),
      tools: TOOLS,
      stopWhen,
      prepareStep: contextManager({ window: WINDOW }).prepareStep,
    })
    const result = await agent.stream({ prompt: QUESTION })
    await result.consumeStream()
    expect(await result.text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
  })

  it('gives all that was said to the caller, and does not summarise a repeated conversation a second time', async () => {
    const server = await reader(10)
    const model = wrapLanguageModel({ model: sdkModel(server, 'chat'), middleware: generatesByStreaming })
    const { prepareStep } = contextManager({ window: WINDOW })
    const messages: ModelMessage[] = [{ role: 'user', content: QUESTION }]
    const { responseMessages } = await generateText({ model, tools: TOOLS, messages, stopWhen, prepareStep })
    expect(responseMessages).toHaveLength(21)
    const before = server.summaries()
    expect(before).toBeGreaterThan(0)
    messages.push(...structuredClone(responseMessages), { role: 'user', content: 'Thank you.' })
    await generateText({ model, tools: TOOLS, messages, stopWhen, prepareStep })
    expect(server.summaries()).toBe(before)
    expect(server.violations).toEqual([])
    expect(lastMessages(server)).toContain('Thank you.')
  })

  it('puts no summary into the index as if the user had said it', async () => {
    const server = await reader(30)
    const result = streamText({
      model: sdkModel(server, 'chat'),
      tools: TOOLS,
      prompt: QUESTION,
      stopWhen,
      prepareStep: contextManager({ window: WINDOW }).prepareStep,
    })
    await result.consumeStream()
    expect(server.summaries()).toBeGreaterThan(2)
    expect(lastMessages(server).split('To read every page of the book.').length - 1).toBeLessThanOrEqual(1)
  })

  it('takes the messages of another prepareStep before it as they are', async () => {
    const server = await reader(3)
    const pith = contextManager({ window: WINDOW })
    const result = streamText({
      model: sdkModel(server, 'chat'),
      tools: TOOLS,
      prompt: QUESTION,
      stopWhen,
      prepareStep: async (step) => {
        const messages: ModelMessage[] = [...step.messages, { role: 'user', content: `reminder ${step.stepNumber}` }]
        return (await pith.prepareStep({ ...step, messages })) ?? { messages }
      },
    })
    await result.consumeStream()
    expect(lastMessages(server)).toContain('reminder 0')
    expect(lastMessages(server)).toContain('reminder 3')
  })

  it('puts a summary of the system’s role after the instructions', async () => {
    const server = await reader(12)
    const result = streamText({
      model: sdkModel(server, 'anthropic'),
      instructions: 'You read books.',
      tools: TOOLS,
      prompt: QUESTION,
      stopWhen,
      prepareStep: contextManager({ window: WINDOW, policy: { preset: 'koda' } }).prepareStep,
    })
    await result.consumeStream()
    expect(await result.text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
    const system = server.requests.at(-1)?.request?.system ?? ''
    expect(system).toContain('You read books.')
    expect(system.split('To read every page of the book.')).toHaveLength(2)
  })

  it.each(['off', 'ask'] as const)('leaves all as it is in mode %s', async (mode) => {
    const server = await reader(7)
    const pith = contextManager({ window: WINDOW, policy: { mode } })
    const result = streamText({
      model: sdkModel(server, 'chat'),
      tools: TOOLS,
      prompt: QUESTION,
      stopWhen,
      prepareStep: pith.prepareStep,
    })
    await result.consumeStream()
    expect(server.summaries()).toBe(0)
    expect(server.requests.at(-1)?.request?.messages).toHaveLength(15)
  })

  it('continues when a listener fails', async () => {
    const server = await reader(10)
    const onEvent = () => {
      throw new Error('the page is gone')
    }
    const pith = contextManager({ window: WINDOW, onEvent })
    const result = streamText({
      model: sdkModel(server, 'chat'),
      tools: TOOLS,
      prompt: QUESTION,
      stopWhen,
      prepareStep: pith.prepareStep,
    })
    await result.consumeStream()
    expect(await result.text).toBe('All pages are read.')
    expect(server.violations).toEqual([])
    expect(server.summaries()).toBeGreaterThan(0)
  })

  it('says how full the context is as it counts itself', async () => {
    const server = await reader(0)
    const pith = contextManager({ window: WINDOW })
    const model = sdkModel(server, 'chat')
    const status = pith.status([{ role: 'user', content: 'word '.repeat(1_000) }], model)
    expect(status.window).toBe(WINDOW)
    expect(status.tokens).toBeGreaterThan(900)
  })

  it('counts on from the provider’s reports, whether or not it is asked between the steps', async () => {
    const reports = async (asks: boolean) => {
      const model = sdkModel(await reader(3), 'chat')
      const pith = contextManager({ window: WINDOW })
      const prepareStep: typeof pith.prepareStep = (step) => {
        const said = [...step.initialMessages, ...step.steps.flatMap(({ response }) => response.messages)]
        if (asks) pith.status(said, step.model)
        if (asks) pith.state(said)
        return pith.prepareStep(step)
      }
      await streamText({ model, tools: TOOLS, prompt: QUESTION, stopWhen, prepareStep }).consumeStream()
      return pith.state()?.reports.map(({ seq }) => seq)
    }
    expect(await reports(false)).toEqual([2, 4, 6])
    expect(await reports(true)).toEqual([2, 4, 6])
  })

  it('knows the window of a model by its name', () => {
    const status = contextManager().status([], 'anthropic/claude-sonnet-4-5')
    expect(status.window).toBeGreaterThanOrEqual(200_000)
  })
})
