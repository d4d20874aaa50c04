/**
 * An agent on Mastra: one line more, an input processor. A scripted model makes 100 steps, and
 * its requests are counted: how many begin with the whole request before them.
 * In an empty folder with this file and scripted-run.mjs: npm install pith @mastra/core zod && node mastra.mjs
 */
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { compactionProcessor } from 'pith/mastra'
import { z } from 'zod'
import { fileText, RequestCounter, STEPS, WINDOW } from './scripted-run.mjs'

const counter = new RequestCounter()
const odd = []
let steps = 0

function next({ prompt }) {
  counter.add(prompt)
  const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const calls = new Set(parts.flatMap(({ type, toolCallId }) => (type === 'tool-call' ? [toolCallId] : [])))
  for (const { type, toolCallId } of parts) if (type === 'tool-result' && !calls.has(toolCallId)) odd.push(toolCallId)
  return ++steps
}
const usage = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }

/** A model that reads one file after the other, then answers. */
const model = {
  specificationVersion: 'v2',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  async doGenerate(options) {
    const step = next(options)
    const content =
      step === STEPS
        ? [{ type: 'text', text: 'Done.' }]
        : [
            {
              type: 'tool-call',
              toolCallId: `c${step}`,
              toolName: 'read',
              input: JSON.stringify({ path: `src/file${step}.ts` }),
            },
          ]
    return { content, finishReason: step === STEPS ? 'stop' : 'tool-calls', usage, warnings: [] }
  },
  async doStream(options) {
    const { content, finishReason } = await this.doGenerate(options)
    const parts = content.flatMap((part) =>
      part.type === 'text'
        ? [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: part.text },
            { type: 'text-end', id: 't' },
          ]
        : [part],
    )
    return {
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason, usage },
      ]),
    }
  },
}

const read = createTool({
  id: 'read',
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string() }),
  execute: async (input) => fileText(input.path ?? input.context?.path),
})
const compactions = []
/** The state of each thread. It is in memory here; you would keep it in a table. */
const states = new Map()
const pith = compactionProcessor({
  window: WINDOW,
  states,
  onEvent: (event) => event.type === 'done' && compactions.push(event.rung),
})
const agent = new Agent({
  id: 'reader',
  name: 'reader',
  instructions: 'Read all files.',
  model,
  tools: { read },
  inputProcessors: [pith], // this is the line
  errorProcessors: [pith], // and this one sends a request again that the provider refused as too large
})
const result = await agent.generate('Read all files. Never touch src/legacy.ts.', { maxSteps: STEPS + 5 })
console.log(counter.report({ compactions: compactions.length, odd, said: STEPS, last: result.text }))
