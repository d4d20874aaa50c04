import { describe, expect, it, onTestFinished } from 'vitest'
import type { ModelCall } from '../../../src/llm/call/chat-model.ts'
import { warmModelOf } from '../../../src/llm/summary-models-for.ts'
import { type Message, outputText, type Usage } from '../../../src/model/types.ts'
import { finishOf } from '../../llm/support/ask.ts'
import { ourModel } from '../../support/model-server/our-model.ts'
import { startModelServer } from '../../support/model-server/server.ts'

const TOOLS = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }]
const STEPS = 6
const PARALLEL = 25

describe.each(['anthropic', 'responses', 'google', 'chat'] as const)('a conversation over %s', (protocol) => {
  it('reads from the cache all that the request before it said, and so does a warm summary', async () => {
    const server = await startModelServer({
      brain: (request, number) =>
        number > STEPS
          ? { text: 'Summary.' }
          : { reasoning: `step ${number}`, calls: callsOf(request.messages.length) },
    })
    onTestFinished(server.close)
    const model = ourModel(server, protocol, { window: 200_000 })
    let call: ModelCall = {
      system: ['You work.'.repeat(50)],
      tools: TOOLS,
      messages: [{ role: 'user', content: 'Go.' }],
    }
    const usages: Usage[] = []
    for (let step = 1; step <= STEPS; step++) {
      const { message, usage } = await finishOf(model, call)
      usages.push(usage as Usage)
      if (step < STEPS) call = { ...call, messages: [...call.messages, message, resultsFor(message)] }
    }
    const warm = warmModelOf(model, { call: () => call, at: 0 }, 1)
    for await (const chunk of warm?.stream('Summarise.', new AbortController().signal) ?? []) {
      if (typeof chunk === 'object' && chunk.type === 'finish') usages.push(chunk.usage as Usage)
    }
    expect(server.violations).toEqual([])
    expect(usages).toHaveLength(STEPS + 1)
    for (const [i, { cacheReadTokens = 0 }] of usages.entries()) {
      const former = usages[i - 1]?.inputTokens ?? 0
      // Where two requests part is found to a character, not to a token.
      expect(cacheReadTokens).toBeGreaterThanOrEqual(former * 0.98)
    }
  })
})

function callsOf(messages: number) {
  return Array.from({ length: PARALLEL }, (_, i) => ({ name: 'read', input: { path: `${messages}-${i}.ts` } }))
}

function resultsFor(message: Message): Message {
  if (message.role !== 'assistant' || typeof message.content === 'string') throw new Error('no calls')
  const content = message.content.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const output = { type: 'text', value: `contents of ${JSON.stringify(part.input)}` } as const
    return [{ type: 'tool-result' as const, toolCallId: part.toolCallId, toolName: part.toolName, output }]
  })
  expect(content.map(({ output }) => outputText(output))).toHaveLength(PARALLEL)
  return { role: 'tool', content }
}
