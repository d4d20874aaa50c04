import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Agent } from '../../../src/agent/agent.ts'
import { runTurn, userMessage } from '../../../src/agent/loop/run-turn.ts'
import type { Tool } from '../../../src/agent/tool.ts'
import { toolSchemas } from '../../../src/agent/tool-schemas.ts'
import type { ChatModel, ModelCall } from '../../../src/llm/call/chat-model.ts'
import type { AssistantMessage } from '../../../src/model/message.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

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
