/**
 * An agent on the OpenAI Agents SDK: one line more, `callModelInputFilter`. A scripted model makes 100 steps, and
 * what was sent is counted: how many requests begin as the one before them ends. In an empty folder with both files of this one:
 * npm install pith @openai/agents zod && node openai-agents.mjs
 */
import { Agent, run, setTracingDisabled, tool, Usage } from '@openai/agents'
import { compactionFilter } from 'pith/openai-agents'
import { z } from 'zod'
import { fileText, RequestCounter, STEPS, WINDOW } from './scripted-run.mjs'

setTracingDisabled(true)
const counter = new RequestCounter()
const odd = []
let steps = 0

/** A model that reads one file after the other, then answers. */
const model = {
  async getResponse({ input }) {
    counter.add(input)
    const calls = new Set(input.flatMap(({ type, callId }) => (type === 'function_call' ? [callId] : [])))
    for (const { type, callId } of input) if (type === 'function_call_result' && !calls.has(callId)) odd.push(callId)
    const step = ++steps
    const output =
      step === STEPS
        ? [
            {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'Done.' }],
            },
          ]
        : [
            {
              type: 'function_call',
              callId: `c${step}`,
              name: 'read',
              status: 'completed',
              arguments: JSON.stringify({ path: `src/file${step}.ts` }),
            },
          ]
    return { usage: new Usage(), output }
  },
  async *getStreamedResponse() {},
}

const read = tool({
  name: 'read',
  description: 'Reads a file',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => fileText(path),
})
const compactions = []
const callModelInputFilter = compactionFilter({
  window: WINDOW,
  onEvent: (event) => event.type === 'done' && compactions.push(event.rung),
})
const agent = new Agent({ name: 'reader', instructions: 'Read all files.', model, tools: [read] })
const result = await run(agent, 'Read all files. Never touch src/legacy.ts.', {
  callModelInputFilter,
  maxTurns: STEPS + 5,
})
console.log(
  counter.report({ compactions: compactions.length, odd, said: result.history.length, last: result.finalOutput }),
)
