/**
 * Progress for a chat page: a compaction takes seconds, and a user who waits should see why. The events go into the stream of
 * the AI SDK's UI as transient data parts, beside the answer; `useChat({ onData })` gets them on the other side.
 * MODEL_URL is any server that speaks the OpenAI protocol.
 * In an empty folder with the copy of this file in the package: npm install pith @ai-sdk/openai-compatible ai && node 07-streaming-progress.ts
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createUIMessageStream, type ModelMessage, streamText, wrapLanguageModel } from 'ai'
import { type ContextEvent, compactionMiddleware } from '../src/adapters/ai-sdk/index.ts' // in your program: from 'pith/ai-sdk'

const baseURL = process.env.MODEL_URL ?? 'http://localhost:11434/v1'
const local = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true })(process.env.MODEL ?? 'qwen3')

const messages = Array.from(
  { length: 61 },
  (_, i): ModelMessage => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${i}: ${'a long conversation about one thing and another, '.repeat(20)}`,
  }),
)

// A route of your server would return this stream, as `createUIMessageStreamResponse({ stream })`.
const stream = createUIMessageStream({
  execute({ writer }) {
    const onEvent = (event: ContextEvent) => writer.write({ type: 'data-compaction', data: event, transient: true })
    const model = wrapLanguageModel({ model: local, middleware: compactionMiddleware({ window: 12_000, onEvent }) })
    writer.merge(streamText({ model, messages }).toUIMessageStream())
  },
})

// Your chat page would read it like this.
let answer = ''
for await (const part of stream) {
  if (part.type === 'data-compaction') console.log(lineFor(part.data as ContextEvent))
  if (part.type === 'text-delta') answer += part.delta
}
console.log(answer)

function lineFor(event: ContextEvent): string {
  switch (event.type) {
    case 'start':
      return `Compacting ${event.messages} messages (${event.tokens} tokens) …`
    case 'rung':
      return `… by ${event.rung}${event.model === undefined ? '' : ` with ${event.model}`}`
    case 'refused':
      return `… not by ${event.rung}: ${event.reason}`
    case 'done':
      return `✓ ${event.tokensBefore} → ${event.tokensAfter} tokens`
    default:
      return `… ${event.type}`
  }
}
