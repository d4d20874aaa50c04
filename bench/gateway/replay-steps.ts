import type { Entry } from '../../src/engine.ts'
import { callsOf, type Message, outputText, resultsOf, textOf } from '../../src/model/types.ts'
import type { Answer } from '../../test/support/model-server/index.ts'

/** One request of a session: the user's messages before it, the model's answer, and the results of its tools. */
export type ReplayStep = {
  readonly at: number
  readonly asks: readonly string[]
  readonly answer: Answer
  readonly results: readonly string[]
}

/** The requests that an agent sent in a session. Answers without words and calls are left out, like reasoning and images. */
export function replaySteps(log: readonly Entry[]): ReplayStep[] {
  const messages = log.flatMap((entry) => (entry.type === 'message' ? [entry] : []))
  const results = new Map(
    messages.flatMap(({ message }) =>
      resultsOf(message).map(({ toolCallId, output }) => [toolCallId, outputText(output)] as const),
    ),
  )
  const steps: ReplayStep[] = []
  let asks: string[] = []
  for (const { message, at } of messages) {
    if (message.role === 'user' && textOf(message).trim() !== '') asks.push(textOf(message))
    const step = message.role === 'assistant' ? stepOf(message, results) : undefined
    if (step === undefined) continue
    const isFollowing = asks.length > 0 || (steps.at(-1)?.results.length ?? 0) > 0
    steps.push({ ...step, at, asks: isFollowing ? asks : ['Go on.'] })
    asks = []
  }
  return steps
}

/** Agents cut longer results. */
const LONGEST_RESULT = 60_000

function stepOf(
  message: Message,
  results: ReadonlyMap<string, string>,
): Pick<ReplayStep, 'answer' | 'results'> | undefined {
  const text = textOf(message).trim()
  const calls = callsOf(message)
  if (text === '' && calls.length === 0) return undefined
  return {
    answer: {
      ...(text === '' ? {} : { text }),
      calls: calls.map(({ toolName, input }) => ({
        name: toolName.replaceAll(/[^\w-]/g, '_').slice(0, 60),
        input: typeof input === 'object' && !Array.isArray(input) ? (input ?? {}) : { input },
      })),
    },
    results: calls.map(({ toolCallId }) => (results.get(toolCallId) || 'Nothing.').slice(0, LONGEST_RESULT)),
  }
}
