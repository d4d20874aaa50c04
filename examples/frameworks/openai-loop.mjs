/**
 * A loop of your own on the package `openai`, without a framework: `fit` before each request, with its state, the tools and
 * the provider's token counts. In an empty folder with this file: npm install pith openai && OPENAI_API_KEY=… node openai-loop.mjs
 * MODEL_URL and MODEL name another server that speaks the OpenAI protocol.
 */
import OpenAI from 'openai'
import { fit } from 'pith'
import { fromOpenAIChat, toOpenAIChat } from 'pith/formats'

const { MODEL_URL: baseURL, MODEL: model = 'gpt-5-mini', OPENAI_API_KEY: apiKey = 'none' } = process.env
const client = new OpenAI({ baseURL, apiKey })
const window = 12_000 // the context window of your model; a small one here, so that there is something to see

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const read = { name: 'read', description: 'Reads a page of the book.', parameters }
const pageText = ({ path }) => `${path}\n${'It was a dark and stormy night. '.repeat(60)}`

/** The model that writes the summaries: here the same one. Without it they are digests. */
const summariser = {
  name: `openai/${model}`,
  async *stream({ system, messages, maxOutputTokens }, signal) {
    const asked = [{ role: 'system', content: system }, ...toOpenAIChat(messages)]
    const request = { model, messages: asked, max_completion_tokens: maxOutputTokens }
    const { choices, usage } = await client.chat.completions.create(request, { signal })
    yield choices[0].message.content ?? ''
    yield { type: 'finish', reason: choices[0].finish_reason === 'stop' ? 'stop' : 'length', usage: usageOf(usage) }
  },
}

/** `prompt_tokens` counts everything that the model read for this one request, from the provider's cache or not. */
function usageOf(usage) {
  return usage && { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
}

const messages = [{ role: 'user', content: 'Read page-1.txt and all that follow.' }] // the whole conversation: store it
let state // the summaries so far: store it beside the messages
let usage // the provider's count for the last answer
let answer
do {
  const fitted = await fit(fromOpenAIChat(messages), {
    window,
    state,
    usage,
    tools: [{ name: read.name, description: read.description, inputSchema: parameters }],
    summaryModels: [summariser],
  })
  state = fitted.state
  if (fitted.result?.compacted)
    console.log(`${fitted.result.rung}: ${fitted.tokensBefore} → ${fitted.tokensAfter} tokens`)
  const sent = toOpenAIChat(fitted.messages)
  const completion = await client.chat.completions.create({
    model,
    messages: sent,
    tools: [{ type: 'function', function: read }],
  })
  usage = usageOf(completion.usage)
  answer = completion.choices[0].message
  messages.push(answer)
  for (const call of answer.tool_calls ?? [])
    messages.push({ role: 'tool', tool_call_id: call.id, content: pageText(JSON.parse(call.function.arguments)) })
} while (answer.tool_calls?.length)
console.log(`${messages.length} messages: ${answer.content}`)
