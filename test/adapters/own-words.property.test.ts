import { expect, it, onTestFinished, vi } from 'vitest'
import { recall as chainRecall, compactionMiddleware } from '../../src/adapters/langchain/index.ts'
import { compactionProcessor } from '../../src/adapters/mastra/index.ts'
import { type AgentItem, compactionFilter, compactionSession } from '../../src/adapters/openai-agents/index.ts'
import type { KeeperOptions } from '../../src/adapters/shared/list-keeper.ts'
import { Chain } from './langchain/chain.ts'
import { expectOwnWords, inForm, type Opening, type OwnAgent, type SharedManager, type Talk } from './own-words.ts'

const WINDOW = 3_000
const OPENING = 'Read all of it.'
const WAYS: Record<string, KeeperOptions> = {
  masks: { window: WINDOW },
  digests: { window: WINDOW, policy: { rungs: ['digest', 'squeeze'] } },
}

const wordIn = (value: string) => value.split(/\s/, 1)[0] ?? ''
const recallTool = { name: 'recall', description: '', inputSchema: {} }

/** The list that a conversation begins with; `made` makes its first message. */
function opener<T>(made: (text: string) => T): (talk: Talk, how: Opening) => T[] {
  const message = made(OPENING)
  const list = [message]
  return (talk, how) => {
    if (how === 'the same list') return list
    if (how === 'the same message') return [message]
    return [made(how === 'the same words' ? OPENING : talk.say())]
  }
}

const langchain = (options: KeeperOptions): SharedManager => {
  const middleware = compactionMiddleware({ ...options, tools: [recallTool] })
  const [execute] = chainRecall
  const open = opener((content) => new Chain({ content }))
  const agent = (talk: Talk, first: Chain[], prepares: boolean): OwnAgent => {
    let messages = first
    let pithState: unknown
    return {
      async step() {
        if (prepares) pithState = (await middleware.beforeModel({ messages, pithState })).pithState
        const request = { messages, state: { messages, pithState } }
        const sent = prepares ? await middleware.wrapModelCall(request, (asked) => asked.messages) : messages
        const i = messages.length
        const content = talk.say()
        const call = { id: `c${i}`, name: 'read', args: { path: `${wordIn(content)}.txt` } }
        messages = [
          ...messages,
          new Chain({ kind: 'ai', content: '', tool_calls: [call] }),
          new Chain({ content, tool_call_id: call.id }),
        ]
        return JSON.stringify(sent)
      },
      recall: (input, form) =>
        // Classes cannot be copied or marked.
        execute(input, {
          state:
            form === 'empty'
              ? undefined
              : { messages: form.startsWith('without') ? inForm(messages, form) : messages, pithState },
        }),
      state: () => pithState,
      fork: (own) => agent(own, messages, prepares),
    }
  }
  return { agent: (talk, how, prepares) => agent(talk, open(talk, how), prepares) }
}

const item = (role: string, content: string): AgentItem => Object.assign({}, { role, content })

function itemRound(i: number, text: string): AgentItem[] {
  const call = { callId: `c${i}`, name: 'read', status: 'completed' }
  return [
    Object.assign({ type: 'function_call', arguments: JSON.stringify({ path: `${wordIn(text)}.txt` }) }, call),
    Object.assign({ type: 'function_call_result', output: { type: 'text', text } }, call),
  ]
}

/** Agents on one filter. Every third request is refused as too large once. */
const filter = (options: KeeperOptions): SharedManager => {
  const shared = compactionFilter(options)
  const open = opener((content) => item('user', content))
  const agent = (talk: Talk, first: AgentItem[], prepares: boolean): OwnAgent => {
    let items = first
    let asked = 0
    const model = shared.model({
      async getResponse({ input }: { input: AgentItem[] }) {
        if (++asked % 3 === 0) throw Object.assign(new Error('prompt is too long'), { status: 400 })
        return input
      },
      async *getStreamedResponse(_: { input: AgentItem[] }) {},
    })
    return {
      async step() {
        const { input } = prepares ? await shared({ modelData: { input: items } }) : { input: items }
        const sent = await model.getResponse({ input: structuredClone(input) }).catch(() => [])
        items = [...items, ...itemRound(items.length, talk.say())]
        return JSON.stringify(sent)
      },
      state: (named) => shared.state(named ? items : undefined),
      fork: (own) => agent(own, items, prepares),
    }
  }
  return { agent: (talk, how, prepares) => agent(talk, open(talk, how), prepares) }
}

/** Sessions share nothing; an agent that does not prepare has the tool of its session without its filter. */
const sessions = (options: KeeperOptions): SharedManager => {
  const open = opener((content) => item('user', content))
  const agent = (talk: Talk, first: AgentItem[], prepares: boolean): OwnAgent => {
    const session = compactionSession(options)
    const begun = session.addItems([...first])
    return {
      async step() {
        await begun
        const items = await session.getItems()
        const { input } = prepares ? await session.filter({ modelData: { input: items } }) : { input: items }
        await session.addItems(itemRound(items.length, talk.say()))
        return JSON.stringify(input)
      },
      recall: (input) => session.recall.execute(input),
      state: () => session,
      fork: (own) => agent(own, [...first], prepares),
    }
  }
  return { agent: (talk, how, prepares) => agent(talk, open(talk, how), prepares) }
}

type PromptMessage = { role: 'system' | 'user' | 'assistant' | 'tool'; content: unknown }
const context = () => ({ get: () => undefined })

/** Agents on one processor: some share a request context, as a workflow and the agents that it calls do. */
const mastra = (options: KeeperOptions): SharedManager => {
  const pith = compactionProcessor(options)
  const { execute } = pith.recall
  const shared = context()
  let made = 0
  const open = opener((text): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] }))
  const agent = (talk: Talk, first: PromptMessage[], prepares: boolean): OwnAgent => {
    let prompt = first
    const mine = made++
    const isAlone = mine % 3 === 0
    const requestContext = isAlone ? context() : shared
    const run = { state: {} }
    return {
      async step() {
        const asked = prepares ? await pith.processLLMRequest({ prompt, requestContext, ...run }) : { prompt }
        const [i, value] = [prompt.length, talk.say()]
        const call = { toolCallId: `c${i}`, toolName: 'read' }
        prompt = [
          ...prompt,
          { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `${wordIn(value)}.txt` } }] },
          { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }] },
        ]
        return JSON.stringify(asked.prompt)
      },
      // A tool that is called outside of a run has no context, or one that was never seen.
      recall: (input, form) =>
        execute(
          input,
          form === 'empty' ? undefined : { requestContext: prepares && prompt !== first ? requestContext : context() },
        ),
      state: (named) => (named ? undefined : pith.state()),
      fork: (own) => agent(own, prompt, prepares),
    }
  }
  return { agent: (talk, how, prepares) => agent(talk, open(talk, how), prepares) }
}

const MANAGERS = { langchain, filter, sessions, mastra }
const cases = Object.entries(MANAGERS).flatMap(([name, make]) =>
  Object.entries(WAYS).map(([way, options]) => ({ name, way, make: () => make(options) })),
)

it.each(cases)('agents on one $name with $way get no word of each other', async ({ make }) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  await expectOwnWords(make)
})

it.each(['langchain', 'sessions', 'mastra'] as const)(
  'agents that take turns on one %s recall their own words',
  async (name) => {
    const manager = MANAGERS[name]({ window: WINDOW })
    const agents = ['b0', 'b1', 'b2'].map((own) => {
      let said = 0
      const say = () => `zq-${own}-${said}-x ${'and more of it. '.repeat(150)}the end of ${own} ${said++}`
      return { own, agent: manager.agent({ words: new Set(), say }, 'the same list', true) }
    })
    for (let i = 0; i < 12; i++) for (const { agent } of agents) await agent.step()
    const answers = await Promise.all(agents.map(({ agent }) => agent.recall?.({ handles: '#3' }, 'as sent')))
    // The second and the third agent of Mastra share a context.
    const known = name === 'mastra' ? 1 : 3
    expect(answers.filter((answer, i) => answer?.includes(`the end of ${agents[i]?.own} 0`))).toHaveLength(known)
    for (const answer of answers.slice(known)) expect(answer).toMatch(/Give each run a RequestContext of its own/)
  },
)
