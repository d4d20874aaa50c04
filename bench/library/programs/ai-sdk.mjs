/** The job on the AI SDK, with Pith's `prepareStep`. The model of the job writes the summaries. */
import { contextManager } from '../../../src/adapters/ai-sdk/index.ts'
import { jobModel, runJob } from './ai-sdk-job.mjs'
import { task } from './job-tools.mjs'

const { tools, prepareStep } = contextManager({ window: task.window })
await runJob({ model: jobModel(), tools, prepareStep })
