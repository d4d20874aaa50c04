import type { Message } from '../../src/engine.ts'
import { randomOf } from '../../src/eval/random.ts'
import { lines, pick, words } from './made-up-text.ts'

/** A made-up session of this many messages, the same for the same seed: tasks, calls with their results, answers. */
export function conversation(messages: number, seed = 1): Message[] {
  const random = randomOf(seed)
  const made: Message[] = []
  while (made.length < messages) made.push(...turn(made.length, random))
  const cut = made.slice(0, messages)
  // A call without its result would be an unfinished session.
  const last = cut.at(-1)
  if (last?.role === 'assistant' && typeof last.content !== 'string') {
    cut[messages - 1] = { role: 'assistant', content: words(random, 30) }
  }
  return cut
}

function turn(from: number, random: () => number): Message[] {
  const steps = 2 + Math.floor(random() * 8)
  const calls = Array.from({ length: steps }, (_, step) => callAndResult(`call-${from}-${step}`, random))
  return [
    { role: 'user', content: words(random, 10 + Math.floor(random() * 60)) },
    ...calls.flat(),
    { role: 'assistant', content: words(random, 40 + Math.floor(random() * 80)) },
  ]
}

function callAndResult(toolCallId: string, random: () => number): Message[] {
  const { toolName, input, result } = pick(random, TOOLS)(random)
  const text = words(random, 5 + Math.floor(random() * 15))
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'tool-call', toolCallId, toolName, input },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: result } }] },
  ]
}

type Step = { readonly toolName: string; readonly input: Record<string, string>; readonly result: string }

const TOOLS: readonly ((random: () => number) => Step)[] = [
  (random) => ({ toolName: 'read', input: { path: path(random) }, result: lines(random, size(random)) }),
  (random) => ({ toolName: 'bash', input: { command: command(random) }, result: lines(random, size(random) / 2) }),
  (random) => ({
    toolName: 'edit',
    input: { path: path(random), oldText: lines(random, 4), newText: lines(random, 5) },
    result: 'Edited 1 place.',
  }),
  (random) => ({ toolName: 'grep', input: { pattern: words(random, 1) }, result: lines(random, 10) }),
]

/** Most results are short, a few are long, as in recorded sessions. */
function size(random: () => number): number {
  return 2 + Math.floor(60 * random() ** 3)
}

function path(random: () => number): string {
  return `src/${words(random, 1)}/${words(random, 1)}-${Math.floor(random() * 40)}.ts`
}

function command(random: () => number): string {
  return pick(random, ['npm test', 'git diff', `npx vitest run test/${words(random, 1)}.test.ts`, 'npm run build'])
}
