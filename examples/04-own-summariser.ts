/**
 * A summariser of your own: anything that streams text. This one calls a chat API with `fetch` and no library at all.
 * MODEL_URL is any server that speaks the OpenAI protocol.
 * In an empty folder with the copy of this file in the package: npm install pith && node 04-own-summariser.ts
 */
import { compactMessages, type Message, type SummaryModel } from '../src/index.ts' // in your program: from 'pith'

const baseUrl = process.env.MODEL_URL ?? 'http://localhost:11434/v1'

const summariser: SummaryModel = {
  name: 'my/model',
  async *stream({ system, messages, maxOutputTokens }, signal) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        model: process.env.MODEL ?? 'qwen3',
        stream: true,
        max_tokens: maxOutputTokens,
        messages: [{ role: 'system', content: system }, ...messages],
      }),
      signal,
    })
    if (!response.ok || response.body === null) throw new Error(`the model answered ${response.status}`)
    let rest = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield textIn(line)
    }
  },
}

function textIn(line: string): string {
  if (!line.startsWith('data: {')) return ''
  return JSON.parse(line.slice('data: '.length)).choices?.[0]?.delta?.content ?? ''
}

const messages = Array.from(
  { length: 40 },
  (_, i): Message => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${i}: ${'a long conversation about one thing and another, '.repeat(20)}`,
  }),
)

const result = await compactMessages(messages, { model: { contextWindow: 16_000 }, summaryModels: [summariser] })
if (!result.compacted) throw new Error(result.reason)
console.log(`${result.tokensBefore} → ${result.tokensAfter} tokens, by ${result.model ?? 'no model'}`)
console.log(result.summary)
