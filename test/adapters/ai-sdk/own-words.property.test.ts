import type { LanguageModelUsage, ModelMessage } from 'ai'
import { expect, it } from 'vitest'
import type { ContextOptions } from '../../../src/adapters/ai-sdk/context/context-options.ts'
import { compactionMiddleware, contextManager } from '../../../src/adapters/ai-sdk/index.ts'
import type { CallOptions, Prompt, SdkModel } from '../../../src/adapters/ai-sdk/models/sdk-call.ts'
import type { Step, StepOptions } from '../../../src/adapters/ai-sdk/steps/step-messages.ts'
import type { SummaryModel } from '../../../src/model/types.ts'
import { expectOwnWords, inForm, type OwnAgent, type SharedManager, type Talk } from '../own-words.ts'

const WINDOW = 3_000

/** Quotes all that it reads, so that a word that it should not have read is seen. */
const quoting: SummaryModel = {
  name: 'acme/quotes',
  async *stream({ messages }) {
    yield `## Goal\n${[...new Set(JSON.stringify(messages).match(/zq-[a-z0-9]+-\d+-x/g) ?? [])].join(' ')}`
  },
}
const WAYS: Record<string, Pick<ContextOptions, 'policy' | 'summaryModels'>> = {
  masks: { summaryModels: [] },
  digests: { policy: { rungs: ['digest', 'squeeze'] } },
  summaries: { policy: { rungs: ['cold', 'digest', 'squeeze'] }, summaryModels: [quoting] },
}
const quiet = { window: WINDOW, onEvent: () => undefined }

const OPENING = 'Read all of it.'
const opening: ModelMessage = { role: 'user', content: OPENING }
const openings: ModelMessage[] = [opening]

function firstOf(talk: Talk, how: Parameters<SharedManager['agent']>[1]): ModelMessage[] {
  if (how === 'the same list') return openings
  if (how === 'the same message') return [opening]
  return [{ role: 'user', content: how === 'the same words' ? OPENING : talk.say() }]
}

type SaidMessage = Step['response']['messages'][number]

/** A call and its result. Ids of calls are the same in all conversations: a model makes them up. */
function round(i: number, value: string): SaidMessage[] {
  const call = { toolCallId: `c${i}`, toolName: 'read' }
  const [word = ''] = value.split(/\s/, 1)
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `${word}.txt` } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }] },
  ]
}

const usage: LanguageModelUsage = {
  inputTokens: undefined,
  outputTokens: undefined,
  totalTokens: undefined,
  inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
  outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
}

/** Agents as the SDK runs them on one manager: each run has its own list of steps, and may share all else. */
function onManager(way = WAYS.masks): SharedManager {
  const pith = contextManager({ ...quiet, ...way })
  const { recall } = pith.tools
  const agent = (talk: Talk, initialMessages: ModelMessage[], prepares: boolean): OwnAgent => {
    const steps: Step[] = []
    let messages: readonly ModelMessage[] = initialMessages
    const all = () => [...initialMessages, ...steps.flatMap(({ response }) => response.messages)]
    return {
      async step() {
        const said = round(steps.length, talk.say())
        const responseMessages = steps.flatMap(({ response }) => response.messages) as StepOptions['responseMessages']
        const options = { model: 'acme/large', steps, initialMessages, messages: [...messages], responseMessages }
        const sent = prepares ? await pith.prepareStep({ ...options, initialInstructions: undefined }) : options
        steps.push({ response: { messages: structuredClone(said) }, usage })
        messages = [...sent.messages, ...said]
        return JSON.stringify(sent.messages)
      },
      async recall(input, form) {
        const answer = await recall.execute?.(input, {
          toolCallId: 'c0',
          messages: inForm(messages.slice(0, steps.length === 0 ? undefined : -2), form),
          context: {},
        })
        return String(answer)
      },
      state: (named) => pith.state(named ? all() : undefined),
      fork: (own) => agent(own, all(), prepares),
    }
  }
  return { agent: (talk, how, prepares) => agent(talk, firstOf(talk, how), prepares) }
}

/** Agents whose models have one middleware. It has no tools: what they get of it are prompts and states. */
function onMiddleware(way = WAYS.masks): SharedManager {
  const pith = compactionMiddleware({ ...quiet, ...way })
  const model = { specificationVersion: 'v4', provider: 'acme.chat', modelId: 'large', supportedUrls: {} } as SdkModel
  const agent = (talk: Talk, first: readonly ModelMessage[], prepares: boolean): OwnAgent => {
    let prompt = first as unknown as Prompt
    let rounds = 0
    return {
      async step() {
        const params: CallOptions = { prompt: [...prompt] }
        const sent = prepares ? await pith.transformParams?.({ params, model, type: 'generate' }) : params
        prompt = [...prompt, ...(round(rounds++, talk.say()) as Prompt)]
        return JSON.stringify(sent?.prompt)
      },
      state: (named) => pith.state(named ? (prompt as ModelMessage[]) : undefined),
      fork: (own) => agent(own, prompt as ModelMessage[], prepares),
    }
  }
  const inParts = (messages: ModelMessage[]) =>
    messages.map(({ content }) => ({ role: 'user', content: [{ type: 'text', text: content }] }) as ModelMessage)
  return { agent: (talk, how, prepares) => agent(talk, inParts(firstOf(talk, how)), prepares) }
}

it.each(Object.entries(WAYS))('on one manager with %s no agent gets a word of another one', (_, way) =>
  expectOwnWords(() => onManager(way)),
)

it.each(Object.entries(WAYS))('on one middleware with %s no agent gets a word of another one', (_, way) =>
  expectOwnWords(() => onMiddleware(way)),
)

it.each(Object.entries(WAYS))(
  'agents that take turns on one manager with %s recall their own words, also from a copied or marked list',
  async (_, way) => {
    const manager = onManager(way)
    const agents = ['b0', 'b1', 'b2'].map((name) => {
      let said = 0
      const say = () => `zq-${name}-${said}-x ${'and more of it. '.repeat(150)}the end of ${name} ${said++}`
      return { name, agent: manager.agent({ words: new Set(), say }, 'the same list', true) }
    })
    for (let i = 0; i < 24; i++) for (const { agent } of agents) await agent.step()
    for (const { name, agent } of agents)
      for (const form of ['as sent', 'copied', 'marked for a cache'] as const)
        expect(await agent.recall?.({ handles: '#3' }, form)).toContain(`the end of ${name} 0`)
  },
)
