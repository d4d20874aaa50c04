import {
  convertToModelMessages,
  isStepCount,
  type ModelMessage,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type ContextEvent, contextManager } from '../../../src/adapters/ai-sdk/index.ts'
import { sdkModel } from '../../support/model-server/sdk-model.ts'
import { reader, TOOLS, WINDOW } from './world.ts'

const QUESTION = 'Read the whole book, page by page. The code word is tangerine-88.'
const stopWhen = isStepCount(80)
const REQUESTS = 3

/** Three requests of one conversation, each with a manager of its own, as a serverless function has it. */
async function summariesOver(kept: 'nothing' | 'the state' | 'the manager'): Promise<number> {
  const server = await reader(36)
  let messages: ModelMessage[] = [{ role: 'user', content: QUESTION }]
  let state: string | undefined
  const manager = contextManager({ window: WINDOW, onEvent: () => {} })
  for (let request = 0; request < REQUESTS; request++) {
    const known: unknown = kept === 'the state' && state !== undefined ? JSON.parse(state) : undefined
    const pith = kept === 'the manager' ? manager : contextManager({ window: WINDOW, state: known })
    const { prepareStep } = pith
    const result = streamText({
      model: sdkModel(server, 'chat'),
      tools: TOOLS,
      messages,
      stopWhen: isStepCount(12),
      prepareStep,
    })
    await result.consumeStream()
    const said = await result.responseMessages
    messages = structuredClone([...messages, ...said, { role: 'user', content: `Go on, part ${request + 2}.` }])
    state = JSON.stringify(pith.state())
    expect(state.length).toBeLessThan(100_000)
  }
  expect(server.violations).toEqual([])
  return server.summaries()
}

it('three requests with a state ask for as many summaries as one process does, and far fewer than without', async () => {
  const without = await summariesOver('nothing')
  const withState = await summariesOver('the state')
  const inOneProcess = await summariesOver('the manager')
  expect(withState).toBe(inOneProcess)
  expect(withState).toBeLessThanOrEqual(without / 2)
})

it('a chat of UI messages continues from the state of the request before', async () => {
  const server = await reader(10)
  const model = sdkModel(server, 'chat')
  let chat: UIMessage[] = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: QUESTION }] }]
  const first = contextManager({ window: WINDOW })
  const result = streamText({
    model,
    tools: TOOLS,
    messages: await convertToModelMessages(chat),
    stopWhen,
    prepareStep: first.prepareStep,
  })
  const stream = toUIMessageStream<typeof TOOLS, UIMessage>({
    stream: result.stream,
    tools: TOOLS,
    originalMessages: chat,
    onEnd: ({ messages }) => {
      chat = messages
    },
  })
  for await (const _ of stream as unknown as AsyncIterable<unknown>);
  const before = server.summaries()
  expect(before).toBeGreaterThan(0)
  const row = JSON.stringify({ chat, state: first.state() })
  const stored: { chat: UIMessage[]; state: unknown } = JSON.parse(row)
  const events: ContextEvent[] = []
  const second = contextManager({ window: WINDOW, state: stored.state, onEvent: (event) => events.push(event) })
  const thanks: UIMessage = { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'Thank you.' }] }
  const messages = await convertToModelMessages([...stored.chat, thanks])
  await streamText({ model, tools: TOOLS, messages, prepareStep: second.prepareStep }).consumeStream()
  expect(events).toEqual([])
  expect(server.summaries()).toBe(before)
  expect(server.violations).toEqual([])
  const sent = JSON.stringify(server.requests.at(-1)?.request?.messages)
  expect(sent).toContain('Thank you.')
  expect(sent).toContain('To read every page of the book.')
})

it('a state of another conversation is left aside with a warning, once', async () => {
  const server = await reader(3)
  const model = sdkModel(server, 'chat')
  const first = contextManager({ window: WINDOW, policy: { tokenLimit: 500 } })
  const run = (pith: typeof first, prompt: string) =>
    streamText({ model, tools: TOOLS, prompt, stopWhen, prepareStep: pith.prepareStep }).consumeStream()
  await run(first, QUESTION)
  const events: ContextEvent[] = []
  const options = { window: WINDOW, state: first.state() }
  await run(contextManager({ ...options, onEvent: (event) => events.push(event) }), 'Something else.')
  expect(events).toEqual([
    { type: 'warning', about: 'state', text: expect.stringMatching(/belongs to other messages/) },
  ])
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  await run(contextManager(options), 'Something else.')
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^pith: state: belongs to other messages/)]])
})

it('of several conversations a state is given only for the messages of one, and a caller that names none is warned once', async () => {
  const server = await reader(6)
  const model = sdkModel(server, 'chat')
  const events: ContextEvent[] = []
  const policy = { tokenLimit: 500 }
  const pith = contextManager({ window: WINDOW, policy, onEvent: (event) => events.push(event) })
  const run = async (content: string): Promise<ModelMessage[]> => {
    const messages: ModelMessage[] = [{ role: 'user', content }]
    const result = streamText({ model, tools: TOOLS, messages, stopWhen, prepareStep: pith.prepareStep })
    await result.consumeStream()
    return [...messages, ...(await result.responseMessages)]
  }
  const first = await run(QUESTION)
  expect(JSON.stringify(pith.state())).toContain('tangerine-88')
  const second = await run('Something else.')
  expect([pith.state(), pith.state()]).toEqual([undefined, undefined])
  expect(events.filter(({ type }) => type === 'warning')).toEqual([
    { type: 'warning', about: 'state', text: expect.stringMatching(/several conversations; pass the messages/) },
  ])
  expect(JSON.stringify(pith.state(first))).toContain('tangerine-88')
  expect(JSON.stringify(pith.state(second))).not.toContain('tangerine-88')
})
