/**
 * An agent on LangChain with a checkpointer: a new agent for each request continues with the same record. A scripted model makes 100 steps, and
 * its requests are counted: how many begin with the whole request before them.
 * In an empty folder with this file and scripted-run.mjs: npm install pith @langchain/core@1.2.13 @langchain/langgraph@1.4.18 @langchain/langgraph-sdk@1.12.0 langchain@1.5.14 zod && node langchain.mjs
 * These versions were tried. The newest ones of each do not always fit together: npm then ends with ERESOLVE.
 */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { compactionMiddleware, recall } from 'pith/langchain'
import { z } from 'zod'
import { fileText, RequestCounter, STEPS, WINDOW } from './scripted-run.mjs'

const counter = new RequestCounter()
const odd = []

/** A model that reads one file after the other, then answers. */
class ScriptedModel extends BaseChatModel {
  steps = 0
  _llmType() {
    return 'scripted'
  }
  bindTools() {
    return this
  }
  async _generate(messages) {
    counter.add(
      messages.map((message) => [message.getType(), message.content, message.tool_calls, message.tool_call_id]),
    )
    const calls = new Set(messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id)))
    for (const { tool_call_id: id } of messages) if (id !== undefined && !calls.has(id)) odd.push(id)
    const step = ++this.steps
    const message =
      step % (STEPS / 2) === 0
        ? new AIMessage(`Done after ${step} steps.`)
        : new AIMessage({
            content: '',
            tool_calls: [{ id: `c${step}`, name: 'read', args: { path: `src/file${step}.ts` } }],
          })
    return { generations: [{ text: '', message }] }
  }
}

const read = tool(async ({ path }) => fileText(path), {
  name: 'read',
  description: 'Reads a file',
  schema: z.object({ path: z.string() }),
})
const compactions = []
const options = { window: WINDOW, onEvent: (event) => event.type === 'done' && compactions.push(event.rung) }
const model = new ScriptedModel({})
const checkpointer = new MemorySaver()
/** A new agent for each request, as on a server: all that it knows comes from the checkpointer. */
const ask = (content) =>
  createAgent({
    model,
    tools: [read, tool(...recall)],
    middleware: [compactionMiddleware(options)], // this is the line
    checkpointer,
  }).invoke({ messages: [{ role: 'user', content }] }, { configurable: { thread_id: '1' }, recursionLimit: 1_000 })
await ask('Read all files. Never touch src/legacy.ts.')
const { messages } = await ask('Now the others.')
console.log(
  counter.report({ compactions: compactions.length, odd, said: messages.length, last: messages.at(-1).content }),
)
