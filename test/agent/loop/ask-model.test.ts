import { afterEach, describe, expect, it } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { runTurn, userMessage } from '../../../src/agent/loop/run-turn.ts'
import type { ModelEvent } from '../../../src/llm/call/chat-model.ts'
import { storedTexts } from '../../support/agent-checks.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const voided = () => world.events.flatMap((event) => (event.type === 'answer-void' ? [event.failure] : []))

/** A turn with a model that streams these events, one list for each request, the last one again and again. */
async function streaming(...answers: readonly ModelEvent[][]) {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  const { deps, live, model, toolSchemas } = world.agent
  let asked = 0
  const stream = async function* () {
    yield* answers[Math.min(asked++, answers.length - 1)] ?? []
  }
  const agent = new Agent(deps, live, { ...model, stream }, toolSchemas)
  const end = await runTurn(agent, userMessage('Do it.'), new AbortController().signal)
  return { end, asked }
}

const finish = (text: string): ModelEvent => ({
  type: 'finish',
  reason: 'stop',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
})
const network = { kind: 'network', text: 'the line is dead' } as const

describe('an answer that is empty', () => {
  it('is asked for again, and the user is notified', async () => {
    const thought: ModelEvent = {
      type: 'finish',
      reason: 'stop',
      message: { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }] },
    }
    const { end, asked } = await streaming([finish(' \n')], [thought], [finish('Here.')])
    expect(end).toMatchObject({ reason: 'done', answer: 'Here.', steps: 1 })
    expect(asked).toBe(3)
    expect(voided()).toEqual(Array(2).fill({ kind: 'malformed', text: 'the answer was empty' }))
    expect(await storedTexts(world)).toHaveLength(2)
  })

  it('is not asked for again forever', async () => {
    const { end, asked } = await streaming([finish('')])
    expect(end).toMatchObject({ reason: 'failed', text: 'The model gave an empty answer' })
    expect(asked).toBe(8)
    expect(await storedTexts(world)).toEqual(['"Do it."'])
  })

  it('is not asked for again when the provider refuses to answer', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [{ text: '', finish: 'content-filter' }] }) })
    expect(await world.say('Do it.')).toMatchObject({
      reason: 'refused',
      text: 'The provider refuses to answer this',
    })
    expect(world.server.requests).toHaveLength(1)
  })
})

describe('an answer that breaks off', () => {
  it('is asked for again, and no part of the first try is kept', async () => {
    const { end, asked } = await streaming([{ type: 'text', text: 'Firs' }], [finish('Second.')])
    expect(end).toMatchObject({ reason: 'done', answer: 'Second.' })
    expect(asked).toBe(2)
    expect(voided()).toEqual([{ kind: 'network', text: 'the answer broke off' }])
    expect((await storedTexts(world)).join()).not.toContain('Firs')
  })

  it.each<ModelEvent>([
    { type: 'text', text: 'Firs' },
    { type: 'reasoning', text: 'Hm' },
    { type: 'tool-input', toolCallId: 'a', toolName: 'bash' },
  ])('after $type is not asked for again forever', async (begun) => {
    const { end, asked } = await streaming([begun, { type: 'failed', failure: network }])
    expect(end).toMatchObject({ reason: 'failed', text: 'the line is dead' })
    expect(asked).toBe(8)
  })

  it('for the last time leaves what had come of it in the log', async () => {
    const broken: ModelEvent[] = [
      { type: 'text', text: 'The first half' },
      { type: 'failed', failure: network },
    ]
    expect((await streaming(broken)).end).toMatchObject({ reason: 'failed' })
    expect((await storedTexts(world)).join()).toContain('The first half')
  })

  it.each(['network', 'server', 'rate-limit', 'malformed', 'silence'] as const)(
    'by a failure of kind %s is asked for again',
    async (kind) => {
      const failure = { kind, text: 'it broke' }
      const { end } = await streaming(
        [
          { type: 'text', text: 'Firs' },
          { type: 'failed', failure },
        ],
        [finish('Second.')],
      )
      expect(end).toMatchObject({ reason: 'done', answer: 'Second.' })
      expect(voided()).toEqual([failure])
    },
  )

  it('because it was interrupted is not a failure', async () => {
    const { end, asked } = await streaming([{ type: 'failed', failure: { kind: 'aborted', text: 'stopped' } }])
    expect(end).toMatchObject({ reason: 'aborted', text: 'Interrupted' })
    expect(asked).toBe(1)
  })

  it('is not asked for again before it began, nor when asking again does not help', async () => {
    const before = await streaming([{ type: 'failed', failure: network }])
    expect(before).toMatchObject({ end: { reason: 'failed', text: 'the line is dead' }, asked: 1 })
    await world.close()
    const failure = { kind: 'auth', text: 'the key is wrong' } as const
    const hopeless = await streaming([
      { type: 'text', text: 'a' },
      { type: 'failed', failure },
    ])
    expect(hopeless).toMatchObject({ end: { reason: 'failed', text: 'the key is wrong' }, asked: 1 })
  })
})

it('the user sees an answer grow', async () => {
  const parts: ModelEvent[] = [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'He' },
    { type: 'tool-input', toolCallId: 'a', toolName: 'bash' },
    { type: 'retry', attempt: 1, inMs: 5, failure: network },
  ]
  await streaming([...parts, finish('Here.')])
  const types = new Set<string>(parts.map(({ type }) => type))
  expect(world.events.filter(({ type }) => types.has(type))).toEqual(parts)
})

it('a history that no provider takes is not sent', async () => {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  await world.agent.live.append([
    {
      type: 'message',
      message: {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'x', toolName: 'bash', output: { type: 'text', value: 'a' } }],
      },
    },
  ])
  const end = await world.say('Do it.')
  expect(end).toMatchObject({ reason: 'failed' })
  expect(end.text).toMatch(/^The history is not valid for a provider: ./)
  expect(world.server.requests).toEqual([])
})
