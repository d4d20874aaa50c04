/** A provider whose window is smaller than the one given to the processor: what it refused, and whether the agent came to its end. */
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { compactionProcessor } from 'pith/mastra'
import { z } from 'zod'
import { asked, refuse } from './overflow.mjs'
import { fileText } from './scripted-run.mjs'

const usage = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }
let steps = 0
const model = {
  specificationVersion: 'v2',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  async doStream({ prompt }) {
    refuse(JSON.stringify(prompt))
    const step = ++steps
    const call = { type: 'tool-call', toolCallId: `c${step}`, toolName: 'read' }
    const parts =
      step === 40
        ? [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'Done.' },
            { type: 'text-end', id: 't' },
          ]
        : step === 39
          ? [{ ...call, toolName: 'recall', input: JSON.stringify({ handles: '#3' }) }]
          : [{ ...call, input: JSON.stringify({ path: `src/file${step}.ts` }) }]
    const finish = { type: 'finish', finishReason: step === 40 ? 'stop' : 'tool-calls', usage }
    return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...parts, finish]) }
  },
}
const read = createTool({
  id: 'read',
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string() }),
  execute: async (input) => fileText(input.path ?? input.context?.path),
})
const pith = compactionProcessor({ window: 32_000 })
const agent = new Agent({
  id: 'reader',
  name: 'reader',
  instructions: 'Read all files.',
  model,
  tools: { read, recall: createTool(pith.recall) },
  inputProcessors: [pith],
  errorProcessors: [pith],
})
const stream = await agent.stream('Read all files.', { maxSteps: 60 })
const last = await stream.text
const recalled = (await stream.toolResults).find(({ payload }) => payload.toolName === 'recall')?.payload.result
console.log(JSON.stringify({ ...asked(), last, recalled }))
