/**
 * An agent as a durable workflow: each turn is a step that may run in another process, days later. The data that goes from step to
 * step is JSON: the messages and Pith's state. With the Workflow DevKit the two functions begin with 'use workflow' and
 * 'use step'; here a small runner takes every value through JSON as it does. MODEL_URL is any server that speaks the OpenAI
 * protocol.
 * In an empty folder with the copy of this file in the package: npm install pith @ai-sdk/openai-compatible ai zod && node workflow-step.ts
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isStepCount, type ModelMessage, streamText, tool } from 'ai'
import { z } from 'zod'
import { contextManager } from '../../src/adapters/ai-sdk/index.ts' // in your program: from 'pith/ai-sdk'

type Carried = { readonly messages: ModelMessage[]; readonly state?: unknown; readonly text: string }

async function readBook(): Promise<string> {
  let carried: Carried = { messages: [{ role: 'user', content: 'Read page-1.txt and all that follow.' }], text: '' }
  for (let turn = 1; turn <= 4; turn++) {
    carried = await durable(readSome, carried)
    console.log(
      `step ${turn}: ${carried.messages.length} messages, state of ${JSON.stringify(carried.state).length} characters`,
    )
  }
  return carried.text
}

/** One step: nothing of the last one is left in memory. */
async function readSome({ messages, state }: Carried): Promise<Carried> {
  const baseURL = process.env.MODEL_URL ?? 'http://localhost:11434/v1'
  const model = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true })(process.env.MODEL ?? 'qwen3')
  const read = tool({
    description: 'Reads a page of the book.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `${path}\n${'It was a dark and stormy night. '.repeat(60)}`,
  })
  const pith = contextManager({ window: 12_000, state, tools: { read } })
  const stopWhen = isStepCount(8)
  const result = streamText({ model, tools: { read }, messages, stopWhen, prepareStep: pith.prepareStep })
  await result.consumeStream()
  return { messages: [...messages, ...(await result.responseMessages)], state: pith.state(), text: await result.text }
}

async function durable<I, O>(step: (input: I) => Promise<O>, input: I): Promise<O> {
  return JSON.parse(JSON.stringify(await step(JSON.parse(JSON.stringify(input)))))
}

console.log(await readBook())
