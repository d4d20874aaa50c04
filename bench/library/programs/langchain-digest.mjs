/** The job on LangChain, with Pith's middleware and without a model that writes summaries. */
import { compactionMiddleware, recall } from '../../../src/adapters/langchain/index.ts'
import { task } from './job-tools.mjs'
import { runJob } from './langchain-job.mjs'

await runJob([compactionMiddleware({ window: task.window })], [recall])
