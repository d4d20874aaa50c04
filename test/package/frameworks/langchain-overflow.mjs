/** A provider whose window is smaller than the one given to the middleware: what it refused, and whether the agent came to its end. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { createAgent, tool } from 'langchain'
import { compactionMiddleware, recall, summaryModelOf } from 'pith/langchain'
import { z } from 'zod'
import { asked, refuse } from './overflow.mjs'
import { fileText } from './scripted-run.mjs'

class SmallModel extends BaseChatModel {
  steps = 0
  _llmType() {
    return 'scripted'
  }
  bindTools() {
    return this
  }
  async _generate(messages) {
    const text = JSON.stringify(messages.map(({ content }) => content))
    if (text.includes('You write the record')) return answer(new AIMessage('## Goal\nTo read src/file1.ts, all of it.'))
    refuse(text)
    const step = ++this.steps
    if (step === 40) return answer(new AIMessage('Done.'))
    const call =
      step === 39
        ? { id: 'r', name: 'recall', args: { handles: '#3' } }
        : { id: `c${step}`, name: 'read', args: { path: `src/file${step}.ts` } }
    return answer(new AIMessage({ content: '', tool_calls: [call] }))
  }
}
const answer = (message) => ({ generations: [{ text: '', message }] })

const fields = { name: 'read', description: 'Reads a file', schema: z.object({ path: z.string() }) }
const model = new SmallModel({})
const summaryModels = [summaryModelOf(model)]
const agent = createAgent({
  model,
  tools: [tool(async ({ path }) => fileText(path), fields), tool(...recall)],
  middleware: [compactionMiddleware({ window: 32_000, summaryModels })],
})
const input = { messages: [{ role: 'user', content: 'Read all files.' }] }
const { messages } = await agent.invoke(input, { recursionLimit: 1_000 })
console.log(JSON.stringify({ ...asked(), last: messages.at(-1).content, recalled: messages.at(-2).content }))
