import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Agent, toolSchemas } from '../../../src/agent/agent.ts'
import { runTurn, userMessage } from '../../../src/agent/loop/run-turn.ts'
import type { Tool } from '../../../src/agent/tool.ts'
import type { ChatModel, ModelCall } from '../../../src/llm/call/chat-model.ts'
import type { AssistantMessage } from '../../../src/model/types.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const never = new AbortController().signal

describe('a tool that the provider ran itself', () => {
  it('is not run again, and its call is not taken for an interrupted one later', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
    const { deps, live, model } = world.agent
    let ran = 0
    const search: Tool = {
      name: 'search',
      description: 'search',
      input: z.looseObject({}),
      parallel: false,
      permission: async () => undefined,
      run: async () => ({ text: `run ${++ran}` }),
    }
    const call = { toolCallId: 'srv_1', toolName: 'search' }
    const message: AssistantMessage = {
      role: 'assistant',
      content: [
        { type: 'tool-call', ...call, input: { query: 'doors' }, providerExecuted: true },
        { type: 'tool-result', ...call, output: { type: 'text', value: 'A door is red.' } },
        { type: 'text', text: 'It is red.' },
      ],
    }
    const asked: ModelCall[] = []
    const searching: ChatModel = {
      ...model,
      async *stream(call) {
        asked.push(call)
        yield { type: 'finish', reason: 'stop', message }
      },
    }
    const agent = new Agent({ ...deps, tools: [search] }, live, searching, toolSchemas([search]))
    expect(await runTurn(agent, userMessage('Which?'), never)).toMatchObject({
      reason: 'done',
      answer: 'It is red.',
      steps: 1,
    })
    expect(await runTurn(agent, userMessage('Sure?'), never)).toMatchObject({ reason: 'done', steps: 1 })
    expect(ran).toBe(0)
    expect(asked.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })
})

describe('a turn', () => {
  it('stops after as many steps as it may take, and continues when it is asked to', async () => {
    const steps = [1, 2, 3].map((n) => calling('bash', { command: `echo ${n}` }))
    world = await agentWorld({ brain: scriptedBrain({ steps }), settings: { stepLimit: 2 } })
    expect(await world.say('Do it.')).toMatchObject({
      reason: 'step-limit',
      text: 'Stopped after 2 steps: ask it to continue, or raise step_limit',
      steps: 2,
    })
    expect(await world.say(undefined)).toMatchObject({ reason: 'done', answer: 'Done.', steps: 2 })
    expect(world.server.violations).toEqual([])
  })

  it('without anything to answer sends no request', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
    const nothing = { reason: 'done', text: 'Nothing to continue: say what to do next', steps: 0 }
    expect(await world.say(undefined)).toMatchObject(nothing)
    await world.say('Do it.')
    expect(await world.say(undefined)).toMatchObject(nothing)
    expect(world.server.requests).toHaveLength(1)
  })

  it('says that its answer was cut, and only then', async () => {
    const cut = { text: 'Half', finish: 'length' } as const
    world = await agentWorld({ brain: scriptedBrain({ steps: [cut, cut, cut, cut] }) })
    const end = await world.say('Do it.')
    expect(end).toMatchObject({
      reason: 'done',
      text: 'The answer was cut at the output limit: ask it to continue',
    })
    expect(world.events.at(-1)).toEqual({ type: 'turn-ended', end })
    expect(await world.say('Go on.')).toMatchObject({ reason: 'done', text: '' })
  })

  it('adds up what its calls used and cost, those of earlier turns left out', async () => {
    const steps = [calling('bash', { command: 'echo 1' })]
    world = await agentWorld({ brain: scriptedBrain({ steps }) })
    const first = await world.say('Do it.')
    const second = await world.say('Again.')
    const usages = world.agent.live.log.flatMap((entry) =>
      entry.type === 'message' && entry.usage !== undefined ? [entry.usage.outputTokens] : [],
    )
    expect(usages).toHaveLength(3)
    const [one = 0, two = 0, three = 0] = usages
    expect([first.usage?.outputTokens, second.usage?.outputTokens]).toEqual([one + two, three])
    expect(first.cost).toBeGreaterThan(second.cost ?? 0)
    expect(second.cost).toBeGreaterThan(0)
  })
})
