/** The job on LangChain, with Pith's middleware. The model of the job writes the summaries. */
import { compactionMiddleware, recall, summaryModelOf } from '../../../src/adapters/langchain/index.ts'
import { task } from './job-tools.mjs'
import { jobModel, runJob } from './langchain-job.mjs'

const { window } = task
const summaryModels = [summaryModelOf(jobModel(), { window })]
await runJob([compactionMiddleware({ window, summaryModels })], [recall])
