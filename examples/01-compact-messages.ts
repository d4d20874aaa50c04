/**
 * Fits a conversation into a window with a model of your own. Here the model is a function that answers offline;
 * yours calls a provider. Run it: node examples/01-compact-messages.ts
 */
import { compactMessages, type Message, type SummaryRequest } from '../src/index.ts'

let messages: Message[] = Array.from({ length: 40 }, (_, i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${i}: ${'a long conversation about one thing and another, '.repeat(20)}`,
}))

async function* askMyModel(request: SummaryRequest): AsyncIterable<string> {
  yield `## Goal\nTo talk about one thing and another.\n\n`
  yield `## Details\nThe model was asked with ${request.messages.length} message and no tools.`
}

const result = await compactMessages(messages, {
  model: { contextWindow: 16_000 },
  summaryModels: [{ name: 'my/model', stream: (request) => askMyModel(request) }],
})
console.log(`${result.tokensBefore} → ${result.tokensAfter} tokens, ${result.messagesRemoved} messages summarised`)
if (result.compacted) messages = [...result.messages]
console.log(`${messages.length} messages to go on with`)
