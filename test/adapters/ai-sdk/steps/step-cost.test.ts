import type { LanguageModel, LanguageModelUsage, ModelMessage } from 'ai'
import { expect, it } from 'vitest'
import { contextManager } from '../../../../src/adapters/ai-sdk/index.ts'
import type { Step, StepOptions } from '../../../../src/adapters/ai-sdk/steps/step-messages.ts'

const MODEL: LanguageModel = 'acme/large'
const STEPS = 40
/** A window in which it is compacted several times, and one in which it is not. */
const WINDOWS = [12_000, 1_000_000]

type SaidMessage = Step['response']['messages'][number]

/** A run as the SDK makes it: its steps keep copies of the messages in the list. */
class Run {
  readonly steps: Step[] = []
  readonly initialMessages: ModelMessage[] = [{ role: 'user', content: 'Read all pages.' }]
  messages: ModelMessage[] = this.initialMessages

  options(): StepOptions {
    const { steps, initialMessages, messages } = this
    const responseMessages = steps.flatMap(({ response }) => response.messages) as StepOptions['responseMessages']
    return { model: MODEL, steps, initialMessages, messages, responseMessages, initialInstructions: 'You read.' }
  }

  say(sent: readonly ModelMessage[], said: SaidMessage[], copies = structuredClone(said)): void {
    this.steps.push({ response: { messages: copies }, usage: usage(1_000 + 300 * this.steps.length) })
    this.messages = [...sent, ...said]
  }
}

it.each(WINDOWS)('a step in a window of %d tokens reads the content of new messages alone', async (window) => {
  const { prepareStep } = contextManager({ window, summaryModels: [], onEvent: () => undefined })
  const run = new Run()
  let read = 0
  const reads: number[] = []
  for (let i = 0; i < STEPS; i++) {
    read = 0
    const { messages } = await prepareStep(run.options())
    reads.push(read)
    const copies = pageOf(i).map((message) => watched(message, () => read++))
    run.say(messages, pageOf(i), copies)
  }
  // Most steps compact nothing. A step that read all messages would read twenty times as often as the third.
  const ordinary = reads.toSorted((a, b) => a - b)[STEPS >> 1] ?? 0
  expect(ordinary).toBeGreaterThan(0)
  expect(ordinary).toBeLessThan(2 * (reads[2] ?? 0))
})

it.each(WINDOWS)('what the caller took out before is never sent again in a window of %d tokens', async (window) => {
  const { prepareStep } = contextManager({ window, summaryModels: [], onEvent: () => undefined })
  const run = new Run()
  const clean = new Map<ModelMessage, ModelMessage>()
  for (let i = 0; i < STEPS; i++) {
    const options = run.options()
    const messages = options.messages.map((message) => {
      const text = JSON.stringify(message)
      if (!text.includes('SECRET-123')) return message
      const known = clean.get(message) ?? (JSON.parse(text.replaceAll('SECRET-123', 'gone')) as ModelMessage)
      clean.set(message, known)
      return known
    })
    const next = await prepareStep({ ...options, messages })
    expect(JSON.stringify(next.messages)).not.toContain('SECRET-123')
    const said =
      i === 1 ? (JSON.parse(JSON.stringify(pageOf(i)).replace('page', 'SECRET-123 page')) as SaidMessage[]) : pageOf(i)
    run.say(next.messages, said)
  }
})

it.each(WINDOWS)(
  'a message that the caller adds to what was prepared is sent on in a window of %d tokens',
  async (window) => {
    const { prepareStep } = contextManager({ window, summaryModels: [], onEvent: () => undefined })
    const run = new Run()
    for (let i = 0; i < STEPS; i++) {
      const { messages } = await prepareStep(run.options())
      // The list is the caller's own.
      messages.push({ role: 'user', content: `Remember rule ${i}.` })
      run.say(messages, pageOf(i))
      const next = await prepareStep(run.options())
      expect(JSON.stringify(next.messages)).toContain(`Remember rule ${i}.`)
    }
  },
)

it('a message that the caller changes is noticed, in a list of its own and in place', async () => {
  const pith = contextManager({ window: 1_000_000, summaryModels: [] })
  const run = new Run()
  for (let i = 0; i < 8; i++) run.say((await pith.prepareStep(run.options())).messages, pageOf(i))
  run.messages = run.messages.with(2, { role: 'user', content: 'Something else.' })
  const { messages } = await pith.prepareStep(run.options())
  expect(messages[2]).toEqual({ role: 'user', content: 'Something else.' })
  const before = pith.status(messages, MODEL).tokens
  messages[2] = { role: 'user', content: 'A much longer sentence. '.repeat(500) }
  expect(pith.status(messages, MODEL).tokens).toBeGreaterThan(before + 1_000)
})

function pageOf(i: number): SaidMessage[] {
  const call = { toolCallId: `c${i}`, toolName: 'read' }
  const value = `page ${i}\n${'a line of the page, one of many\n'.repeat(30)}`
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `page-${i}.txt` } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }] },
  ]
}

/** The message, with a listener for each read of its content. */
function watched<M extends SaidMessage>({ content, ...rest }: M, onRead: () => void): M {
  return Object.defineProperty(rest, 'content', {
    enumerable: true,
    get: () => {
      onRead()
      return content
    },
  }) as unknown as M
}

function usage(inputTokens: number): LanguageModelUsage {
  return {
    inputTokens,
    outputTokens: 50,
    totalTokens: undefined,
    inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  }
}
