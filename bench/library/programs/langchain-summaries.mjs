/** The job on LangChain with its own summaries, without Pith. */
import { summarizationMiddleware } from 'langchain'
import { task } from './job-tools.mjs'
import { jobModel, runJob } from './langchain-job.mjs'

const { window } = task
const [trigger, keep] = [{ tokens: Math.floor(0.8 * window) }, { tokens: Math.floor(0.3 * window) }]
await runJob([summarizationMiddleware({ model: jobModel(), trigger, keep })])
