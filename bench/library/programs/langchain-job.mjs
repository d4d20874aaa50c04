import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { PROMPT, STEPS, SYSTEM } from '../job.ts'
import { jobTools, task } from './job-tools.mjs'
import { streamedFetch } from './streamed-fetch.mjs'

/** The model of the job. It does not stream: then LangChain would load a tokenizer from the network. */
export function jobModel() {
  const configuration = { baseURL: task.url, fetch: streamedFetch }
  return new ChatOpenAI({ model: 'job', apiKey: 'none', maxRetries: 0, configuration })
}

/** Does the job with these middlewares, and with tools that belong to them. */
export async function runJob(middleware, more = []) {
  const own = jobTools(({ execute, ...fields }) => tool(execute, fields))
  const tools = [...own, ...more.map((one) => tool(...one))]
  const agent = createAgent({ model: jobModel(), systemPrompt: SYSTEM, tools, middleware })
  const input = { messages: [{ role: 'user', content: PROMPT }] }
  await agent.invoke(input, { recursionLimit: STEPS * 10 })
  process.exit(0)
}
