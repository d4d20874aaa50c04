/** The job on the AI SDK, with Pith's `prepareStep` and without a model that writes summaries. */
import { contextManager } from '../../../src/adapters/ai-sdk/index.ts'
import { jobModel, runJob } from './ai-sdk-job.mjs'
import { task } from './job-tools.mjs'

const { tools, prepareStep } = contextManager({ window: task.window, summaryModels: [] })
await runJob({ model: jobModel(), tools, prepareStep })
