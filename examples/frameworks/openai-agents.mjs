/**
 * An agent on the OpenAI Agents SDK: one line more, `callModelInputFilter`. A scripted model makes 100 steps, and
 * its requests are counted: how many begin with the whole request before them.
 * In an empty folder with this file and scripted-run.mjs: npm install pith @openai/agents zod && node openai-agents.mjs
 */
import { Agent, run, setTracingDisabled, tool, Usage } from '@openai/agents'
import { compactionSession } from 'pith/openai-agents'
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
      step % (STEPS / 2) === 0
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
/** A new session object for each request, as on a server: the last one was stored as JSON. */
async function ask(input, stored) {
  const session = compactionSession({
    window: WINDOW,
    stored: stored && JSON.parse(stored),
    onEvent: (event) => event.type === 'done' && compactions.push(event.rung),
  })
  const agent = new Agent({
    name: 'reader',
    instructions: 'Read all files.',
    model,
    tools: [read, tool(session.recall)],
  })
  const { finalOutput } = await run(agent, input, {
    session,
    callModelInputFilter: session.filter, // this is the line
    maxTurns: STEPS + 5,
  })
  return { finalOutput, stored: JSON.stringify(session) }
}
const first = await ask('Read all files. Never touch src/legacy.ts.')
const { finalOutput, stored } = await ask('Now the others.', first.stored)
const { items } = JSON.parse(stored)
console.log(counter.report({ compactions: compactions.length, odd, said: items.length, last: finalOutput }))
