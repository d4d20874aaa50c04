/** The job on the AI SDK, with Pith's middleware around the model. The model of the job writes the summaries. */
import { wrapLanguageModel } from 'ai'
import { compactionMiddleware } from '../../../src/adapters/ai-sdk/index.ts'
import { jobModel, runJob } from './ai-sdk-job.mjs'
import { task } from './job-tools.mjs'

const { window } = task
await runJob({ model: wrapLanguageModel({ model: jobModel(), middleware: compactionMiddleware({ window }) }) })
