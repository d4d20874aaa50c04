/** The job on Mastra with its own observational memory, without Pith. */
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { Memory } from '@mastra/memory'
import { PROMPT, STEPS, SYSTEM } from '../job.ts'
import { jobTools, task } from './job-tools.mjs'
import { streamedFetch } from './streamed-fetch.mjs'

const { url, window } = task
const model = createOpenAI({ baseURL: url, apiKey: 'none', fetch: streamedFetch }).chat('job')
// The defaults of Mastra. A small window has less: the observer's own prompt takes 6,500 tokens of it.
const observation = { messageTokens: Math.min(30_000, 0.25 * window), bufferTokens: false }
const reflection = { observationTokens: Math.min(40_000, 0.2 * window) }
const observationalMemory = { model, observation, reflection }
const memory = new Memory({ storage: new InMemoryStore(), options: { observationalMemory } })
const own = jobTools(({ name, description, schema, execute }) => [
  name,
  createTool({ id: name, description, inputSchema: schema, execute }),
])
const agent = new Agent({
  id: 'coder',
  name: 'coder',
  instructions: SYSTEM,
  model,
  memory,
  tools: Object.fromEntries(own),
})
const stream = await agent.stream(PROMPT, { maxSteps: STEPS + 5, memory: { thread: 'job', resource: 'bench' } })
await stream.consumeStream()
process.exit(stream.status === 'failed' ? 1 : 0)
