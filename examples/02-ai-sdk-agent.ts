/**
 * An agent on the AI SDK that never outgrows its window: one line more, `prepareStep`. MODEL_URL is any server that speaks
 * the OpenAI protocol, Ollama's by default.
 * In an empty folder with the copy of this file in the package: npm install pith @ai-sdk/openai-compatible ai zod && node 02-ai-sdk-agent.ts
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isStepCount, ToolLoopAgent, tool } from 'ai'
import { z } from 'zod'
import { contextManager } from '../src/adapters/ai-sdk/index.ts' // in your program: from 'pith/ai-sdk'

const baseURL = process.env.MODEL_URL ?? 'http://localhost:11434/v1'
const model = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true })(process.env.MODEL ?? 'qwen3')

const pith = contextManager({
  window: 12_000,
  onEvent(event) {
    if (event.type === 'done')
      console.log(`compacted by ${event.rung}: ${event.tokensBefore} → ${event.tokensAfter} tokens`)
  },
})

const agent = new ToolLoopAgent({
  model,
  instructions: 'You read books, page by page, until there is no next page.',
  tools: {
    read: tool({
      description: 'Reads a page of the book.',
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => `${path}\n${'It was a dark and stormy night. '.repeat(60)}`,
    }),
  },
  stopWhen: isStepCount(60),
  prepareStep: pith.prepareStep, // this is the line
})

const result = await agent.stream({ prompt: 'Read page-1.txt and all that follow.' })
await result.consumeStream()
console.log(`${(await result.steps).length} steps: ${await result.text}`)
