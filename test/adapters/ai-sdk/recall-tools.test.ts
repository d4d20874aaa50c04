import { isStepCount, streamText, type ToolSet, wrapLanguageModel } from 'ai'
import { expect, it } from 'vitest'
import {
  type ContextEvent,
  compactionMiddleware,
  contextManager,
  createSession,
} from '../../../src/adapters/ai-sdk/index.ts'
import { isSummarising } from '../../support/model-server/index.ts'
import { sdkModel } from '../../support/model-server/sdk-model.ts'
import { reader, SUMMARY, TOOLS, WINDOW } from './world.ts'

const QUESTION = 'Read the whole book. The code word is tangerine-88.'

/** A model that reads pages until it is shown the record, then recalls what it names, then answers. */
function recalling(pages: number) {
  let page = 0
  let recalled = 0
  const answers: string[] = []
  const server = reader(0, {
    brain: (request) => {
      if (isSummarising(request)) return { text: SUMMARY }
      const all = JSON.stringify(request.messages)
      if (recalled > 0) answers.push(JSON.stringify(request.messages.at(-1)))
      if (page < pages) {
        page++
        return { text: `Page ${page}.`, calls: [{ name: 'read', input: { path: `page-${page}.txt` } }] }
      }
      if (recalled === 2 || !all.includes('recall')) return { text: 'Done.' }
      recalled++
      return {
        text: '',
        calls: [{ name: 'recall', input: recalled === 1 ? { search: 'page-1.txt' } : { handles: '#3' } }],
      }
    },
  })
  return { server, answers }
}

it.each(['a manager', 'a session'])('an agent with %s recalls what was compacted, word for word', async (kind) => {
  const { server: starting, answers } = recalling(14)
  const server = await starting
  const model = sdkModel(server, 'chat')
  const events: ContextEvent[] = []
  const options = { window: WINDOW, onEvent: (event: ContextEvent) => events.push(event) }
  const pith = kind === 'a manager' ? contextManager(options) : await createSession({ ...options, model })
  const tools: ToolSet = { ...TOOLS, ...pith.tools }
  const { prepareStep } = pith
  await streamText({ model, tools, prompt: QUESTION, stopWhen: isStepCount(60), prepareStep }).consumeStream()
  expect(events.some((event) => event.type === 'done')).toBe(true)
  expect(server.violations).toEqual([])
  expect(answers[0]).toMatch(/#\d+ \(.*page-1\.txt/)
  expect(answers[1]).toContain('#3 (tool)')
  expect(answers[1]).toContain('a line of the page, one of many')
})

it.each(['a manager', 'a session', 'a wrapped model'])(
  'without the tool no request of %s promises one',
  async (kind) => {
    const server = await reader(10)
    const plain = sdkModel(server, 'chat')
    const isWrapped = kind === 'a wrapped model'
    const middleware = compactionMiddleware({ window: WINDOW })
    const model = isWrapped ? wrapLanguageModel({ model: plain, middleware }) : plain
    const pith =
      kind === 'a session' ? await createSession({ window: WINDOW, model }) : contextManager({ window: WINDOW })
    const steps = isWrapped ? {} : { prepareStep: pith.prepareStep }
    const stopWhen = isStepCount(60)
    await streamText({ model, tools: TOOLS, prompt: QUESTION, stopWhen, ...steps }).consumeStream()
    expect(JSON.stringify(server.requests.at(-1)?.request?.messages)).toContain('compacted')
    expect(server.summaries()).toBeGreaterThan(0)
    const asked = server.requests.map(({ request }) => JSON.stringify(request?.messages))
    expect(asked.filter((text) => text.includes('recall'))).toEqual([])
  },
)

it('an agent that has the tools of a shared manager without its prepareStep reads what to do, and no words of another agent', async () => {
  const { server: starting } = recalling(14)
  const pith = contextManager({ window: WINDOW })
  const { prepareStep } = pith
  const tools: ToolSet = { ...TOOLS, ...pith.tools }
  const first = {
    model: sdkModel(await starting, 'chat'),
    tools,
    prompt: QUESTION,
    stopWhen: isStepCount(60),
    prepareStep,
  }
  await streamText(first).consumeStream()
  const answers: string[] = []
  const other = await reader(0, {
    brain: ({ messages }) => {
      if (messages.length === 1) return { text: '', calls: [{ name: 'recall', input: { search: 'tangerine' } }] }
      answers.push(JSON.stringify(messages.at(-1)))
      return { text: 'Done.' }
    },
  })
  const without = { model: sdkModel(other, 'chat'), tools, prompt: 'What is the password?', stopWhen: isStepCount(3) }
  await streamText(without).consumeStream()
  expect(answers).toEqual([
    expect.stringMatching(/does not know this conversation.* Give that prepareStep to the same call/),
  ])
  expect(answers.join()).not.toContain('tangerine-88')
})

it('a handle that does not exist, or that is not a handle, is answered in words', async () => {
  const server = await reader(0)
  const session = await createSession({ model: sdkModel(server, 'chat'), window: WINDOW })
  await session.append([{ role: 'user', content: 'hello' }])
  const ask = (input: { handles?: string; search?: string }) =>
    session.tools.recall.execute?.(input, { toolCallId: 'a', messages: [], context: {} })
  expect(await ask({ handles: '#99' })).toMatch(/no entry #99/)
  expect(await ask({ handles: 'twelve' })).toMatch(/is not a handle/)
  expect(await ask({ search: 'nobody said this' })).toMatch(/Nothing was found for/)
  expect(await ask({})).toMatch(/Give handles or search/)
  expect(await ask({ handles: '#1' })).toContain('hello')
  await session.close()
})
