/**
 * A chat route (`useChat` on the other side) whose function forgets everything between two requests: a row of a database
 * has the messages and Pith's state. MODEL_URL is any server that speaks the OpenAI protocol.
 * In an empty folder with the copy of this file in the package: npm install pith @ai-sdk/openai-compatible ai zod && node chat-with-a-row.ts
 */
import { DatabaseSync } from 'node:sqlite'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { z } from 'zod'
import { contextManager } from '../../src/adapters/ai-sdk/index.ts' // in your program: from 'pith/ai-sdk'

const baseURL = process.env.MODEL_URL ?? 'http://localhost:11434/v1'
const model = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true })(process.env.MODEL ?? 'qwen3')
const db = new DatabaseSync(':memory:')
db.exec('CREATE TABLE chats (id TEXT PRIMARY KEY, messages TEXT NOT NULL, state TEXT)')

const tools = {
  read: tool({
    description: 'Reads a page of the book.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `${path}\n${'It was a dark and stormy night. '.repeat(60)}`,
  }),
}

/** The route: in a Next.js project `app/api/chat/route.ts`. */
async function POST(request: Request): Promise<Response> {
  const { id, message } = (await request.json()) as { id: string; message: UIMessage }
  const row = db.prepare('SELECT messages, state FROM chats WHERE id = ?').get(id)
  const messages: UIMessage[] = [...JSON.parse(String(row?.messages ?? '[]')), message]
  const state: unknown = row?.state ? JSON.parse(String(row.state)) : undefined
  // A new manager for each request: the state of the last one comes with the row.
  const pith = contextManager({ window: 12_000, state, tools, signal: request.signal })
  const result = streamText({
    model,
    tools,
    messages: await convertToModelMessages(messages),
    stopWhen: isStepCount(8),
    abortSignal: request.signal,
    prepareStep: pith.prepareStep,
  })
  const save = (conversation: readonly UIMessage[]) =>
    db
      .prepare('INSERT OR REPLACE INTO chats (id, messages, state) VALUES (?, ?, ?)')
      .run(id, JSON.stringify(conversation), JSON.stringify(pith.state() ?? null))
  const onEnd = ({ messages: conversation }: { messages: UIMessage[] }) => void save(conversation)
  const stream = toUIMessageStream({ stream: result.stream, tools, originalMessages: messages, onEnd })
  return createUIMessageStreamResponse({ stream })
}

// Four requests, as your chat page would send them.
for (let turn = 1; turn <= 4; turn++) {
  const message = { id: `u${turn}`, role: 'user', parts: [{ type: 'text', text: `Read on, part ${turn}.` }] }
  const body = JSON.stringify({ id: 'chat-1', message })
  await (await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))).text()
  const row = db.prepare('SELECT length(messages) AS messages, length(state) AS state FROM chats').get()
  console.log(`request ${turn}: ${row?.messages} characters of messages, ${row?.state} of state`)
}
