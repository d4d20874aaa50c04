import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, streamText, tool } from 'ai'
import { PROMPT, STEPS, SYSTEM } from '../job.ts'
import { jobTools, task } from './job-tools.mjs'

export function jobModel() {
  return createOpenAI({ baseURL: task.url, apiKey: 'none' }).chat('job')
}

/** Does the job with these settings of `streamText`. */
export async function runJob({ tools, ...settings }) {
  const own = jobTools(({ name, schema: inputSchema, description, execute }) => [
    name,
    tool({ description, inputSchema, execute }),
  ])
  const result = streamText({
    ...settings,
    instructions: SYSTEM,
    prompt: PROMPT,
    tools: { ...Object.fromEntries(own), ...tools },
    stopWhen: isStepCount(STEPS + 5),
    maxRetries: 0,
  })
  const { finishReason } = result
  await result.consumeStream()
  if ((await finishReason) !== 'stop') throw new Error(`the run ended with ${await finishReason}`)
  process.exit(0)
}
