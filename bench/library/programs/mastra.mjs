/** The job on Mastra, with Pith's processor. */
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { compactionProcessor } from '../../../src/adapters/mastra/index.ts'
import { PROMPT, STEPS, SYSTEM } from '../job.ts'
import { jobTools, task } from './job-tools.mjs'

const { url, window } = task
const pith = compactionProcessor({ window })
const own = jobTools(({ name, description, schema, execute }) => [
  name,
  createTool({ id: name, description, inputSchema: schema, execute }),
])
const agent = new Agent({
  id: 'coder',
  name: 'coder',
  instructions: SYSTEM,
  model: createOpenAI({ baseURL: url, apiKey: 'none' }).chat('job'),
  tools: { ...Object.fromEntries(own), recall: createTool(pith.recall) },
  inputProcessors: [pith],
  errorProcessors: [pith],
})
const stream = await agent.stream(PROMPT, { maxSteps: STEPS + 5 })
await stream.consumeStream()
process.exit(0)
