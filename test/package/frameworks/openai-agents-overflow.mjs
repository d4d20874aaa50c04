/** A provider whose window is smaller than the one given to the session: what it refused, and whether the agent came to its end. */
import { Agent, Runner, setTracingDisabled, tool, Usage } from '@openai/agents'
import { compactionSession } from 'pith/openai-agents'
import { z } from 'zod'
import { asked, refuse } from './overflow.mjs'
import { fileText } from './scripted-run.mjs'

setTracingDisabled(true)
const LAST = 40
let steps = 0

/** A class, as the SDK's own models are: it keeps what is private in a field. */
class SmallModel {
  #usage = new Usage()

  async getResponse({ input }) {
    refuse(JSON.stringify(input))
    return { usage: this.#usage, output: [this.#answer(++steps)] }
  }

  async *getStreamedResponse({ input }) {
    yield { type: 'response_started' }
    refuse(JSON.stringify(input))
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
    yield { type: 'response_done', response: { id: `r${steps}`, usage, output: [this.#answer(++steps)] } }
  }

  #answer(step) {
    if (step === LAST) {
      const content = [{ type: 'output_text', text: 'Done.' }]
      return { type: 'message', role: 'assistant', status: 'completed', content }
    }
    const call = { type: 'function_call', callId: `c${step}`, status: 'completed' }
    if (step === LAST - 1) {
      return { ...call, name: 'recall', arguments: JSON.stringify({ handles: '#3', search: null, offset: null }) }
    }
    return { ...call, name: 'read', arguments: JSON.stringify({ path: `src/file${step}.ts` }) }
  }
}

const read = tool({
  name: 'read',
  description: 'Reads a file',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => fileText(path),
})
const isStreamed = process.argv.includes('--stream')
const session = compactionSession({ window: 32_000 })
const agent = new Agent({ name: 'reader', model: 'small', tools: [read, tool(session.recall)] })
const runner = new Runner({ modelProvider: session.filter.provider({ getModel: () => new SmallModel() }) })
const options = { session, callModelInputFilter: session.filter, maxTurns: 100, stream: isStreamed }
const result = await runner.run(agent, 'Read all files.', options)
if (isStreamed) await result.completed
const recalled = result.history.findLast(({ type, name }) => type === 'function_call_result' && name === 'recall')
console.log(JSON.stringify({ ...asked(), last: result.finalOutput, recalled: JSON.stringify(recalled?.output) }))
