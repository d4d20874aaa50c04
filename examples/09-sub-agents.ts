/**
 * An agent with sub-agents: each has a context and a budget of its own, and only its report enters the context of the agent.
 * In an empty folder with the copy of this file in the package: npm install pith && node 09-sub-agents.ts
 */
import { fit, type Message, recall, reportOf } from '../src/index.ts'

// Everything that was said, by the agent and by each of its sub-agents. Store it where you like.
const messages: Message[] = [{ role: 'user', content: 'Where is the login slow? Look into every folder.' }]
const children: Record<string, Message[]> = {}
let state: unknown
let childTokens = 0

/** The tool `task` of the agent: runs a sub-agent, and returns its report. */
async function task(name: string, prompt: string): Promise<string> {
  const child: Message[] = [{ role: 'user', content: prompt }]
  children[name] = child
  let childState: unknown
  for (let page = 1; page <= 12; page++) {
    // A window smaller than that of its model is its budget.
    const fitted = await fit(child, { window: 8_000, state: childState })
    childState = fitted.state
    childTokens = Math.max(childTokens, fitted.tokensAfter)
    child.push(...step(name, page)) // here: the answer of your model to fitted.messages, and the results of its calls
  }
  child.push({ role: 'assistant', content: `${name} waits for the lock of the pool in page-7.ts.` })
  return reportOf(child, { name })
}

for (const folder of ['server', 'client', 'worker']) {
  const toolCallId = `task-${folder}`
  const input = { prompt: `Look into ${folder}.` }
  messages.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'task', input }] })
  const value = await task(folder, input.prompt)
  const output = { type: 'text' as const, value }
  messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'task', output }] })
  const fitted = await fit(messages, { window: 32_000, state, recall: true })
  state = fitted.state
  console.log(`the agent has ${fitted.tokensAfter} tokens after: ${value.replaceAll('\n', ' ')}`)
}
console.log(`no sub-agent had more than ${childTokens} tokens`)

// The tool `recall` of the agent is one line: it searches all of them, and reads what a handle names.
const answer = async (asked: string) => (await recall(messages, asked, { state, children })).text
console.log(await answer('heron worker page-7'))
console.log((await answer('worker#15')).slice(0, 60))

/** A call of the sub-agent's model and its result, so that the example needs no model. */
function step(name: string, page: number): Message[] {
  const call = { toolCallId: `${name}-${page}`, toolName: 'read' }
  const text = `// page-${page}.ts of ${name}\n${`const heron${page} = await pool.lock('${name}')\n`.repeat(60)}`
  const output = { type: 'text' as const, value: text }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `${name}/page-${page}.ts` } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
  ]
}
