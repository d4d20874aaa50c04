/** The job on the OpenAI Agents SDK, with Pith's session. */
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { compactionSession } from '../../../src/adapters/openai-agents/index.ts'
import { PROMPT, STEPS, SYSTEM } from '../job.ts'
import { jobTools, task } from './job-tools.mjs'

setTracingDisabled(true)
const { url, window } = task
const session = compactionSession({ window })
const tools = jobTools(({ schema, ...rest }) => tool({ ...rest, parameters: schema }))
const agent = new Agent({ name: 'coder', instructions: SYSTEM, model: 'job', tools: [...tools, tool(session.recall)] })
const provider = new OpenAIProvider({ baseURL: url, apiKey: 'none', useResponses: true })
const runner = new Runner({ modelProvider: session.filter.provider(provider) })
const options = { session, callModelInputFilter: session.filter, maxTurns: STEPS + 5, stream: true }
const result = await runner.run(agent, PROMPT, options)
await result.completed
process.exit(0)
