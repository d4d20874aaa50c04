/**
 * The cost of `prepareStep` over the steps of one long run, and how often that is the time of counting what is new in a
 * step. Only the fastest quarter of each counts, to leave out the time that other programs took. `npm run bench:steps`.
 */
import type { AssistantModelMessage, LanguageModel, LanguageModelUsage, ModelMessage, ToolModelMessage } from 'ai'
import { contextManager } from '../../src/adapters/ai-sdk/index.ts'
import { featureEstimator, type Message, messageTokens } from '../../src/engine.ts'

type StepMessage = AssistantModelMessage | ToolModelMessage

const SUMMARY = '## Goal\nTo read the files of the project one after the other.\n\n## Done\nMany were read.'
const WINDOWS = [200_000] as const
const INSTRUCTIONS =
  'You read the files of a project, one after the other, and you tell what each one is for.\n'.repeat(80)
const STEPS = 1_020
const AROUND = 20

const MODEL: LanguageModel = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'none',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('nobody asks')),
  doStream: () => Promise.reject(new Error('nobody asks')),
}

for (const window of WINDOWS) {
  console.log(`\nwindow ${window}: step, ms of prepareStep (fastest quarter), × the count of what is new, × step 100`)
  const { times, counts } = await run(window)
  const base = quarter(times.slice(100 - AROUND, 100 + AROUND))
  for (const step of [100, 300, 600, 1_000]) {
    const ms = quarter(times.slice(step - AROUND, step + AROUND))
    const count = quarter(counts)
    console.log(
      `${String(step).padStart(6)} ${ms.toFixed(2).padStart(9)} ${(ms / count).toFixed(1).padStart(8)} ${(ms / base).toFixed(2).padStart(8)}`,
    )
  }
}

async function run(window: number): Promise<{ times: number[]; counts: number[] }> {
  const summaryModel = {
    name: 'bench/instant',
    async *stream() {
      yield SUMMARY
    },
  }
  const pith = contextManager({ window, summaryModel })
  const initialMessages: ModelMessage[] = [{ role: 'user', content: 'Read the whole project, file by file.' }]
  const steps: { response: { messages: StepMessage[] }; usage: LanguageModelUsage }[] = []
  let messages = initialMessages
  const times: number[] = []
  const counts: number[] = []
  for (let i = 0; i < STEPS; i++) {
    const responseMessages = steps.flatMap(({ response }) => response.messages)
    const options = {
      model: MODEL,
      messages,
      initialMessages,
      responseMessages,
      steps,
      initialInstructions: INSTRUCTIONS,
    }
    const start = performance.now()
    const prepared = await pith.prepareStep(options)
    times.push(performance.now() - start)
    const newMessages = stepMessages(i)
    const others = copyOf(newMessages)
    counts.push(timed(() => others.map((message) => messageTokens(message as Message, featureEstimator))))
    // The SDK keeps copies in its steps.
    steps.push({ response: { messages: copyOf(newMessages) }, usage: usageOf(prepared.messages, newMessages) })
    messages = [...prepared.messages, ...newMessages]
  }
  return { times, counts }
}

function stepMessages(i: number): StepMessage[] {
  const line = `  const value${i} = await load(config.path, { retries: ${i % 7}, name: 'part-${i}' }) // as in issue ${i}\n`
  const call = { toolCallId: `c${i}`, toolName: 'read' }
  const text = `Now src/part-${i}.ts, which \`loadPart${i}\` is in.`
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'tool-call', ...call, input: { path: `src/part-${i}.ts` } },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: line.repeat(40) } }] },
  ]
}

/** Copies as the SDK does: the texts stay the same strings. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf) as T
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copyOf(field)])) as T
}

/** A provider that counts a tenth more than we do. */
function usageOf(sent: readonly ModelMessage[], [answer]: readonly StepMessage[]): LanguageModelUsage {
  const tokens = (messages: readonly ModelMessage[]) =>
    Math.round(messages.reduce((sum, message) => sum + messageTokens(message as Message, featureEstimator), 0) * 1.1)
  return {
    inputTokens: tokens(sent),
    outputTokens: answer === undefined ? 0 : tokens([answer]),
    totalTokens: undefined,
    inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  }
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function quarter(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 2] ?? 0
}
