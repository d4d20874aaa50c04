import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { switchModel } from '../../../src/agent/compaction/switch-model.ts'
import type { PolicyPatch } from '../../../src/engine.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A session that is too large for the model `small` (16,000 tokens). */
async function large(policy: PolicyPatch = {}, options: Partial<AgentWorldOptions> = {}) {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 6_000) }))
  world = await agentWorld({ brain: scriptedBrain({ steps }), ...options, settings: { policy } })
  for (const text of ['First.', 'Second.', 'Third.']) expect(await world.say(text)).toMatchObject({ reason: 'done' })
  expect(world.agent.status().tokens).toBeGreaterThan(16_000)
}

const never = new AbortController().signal
const models = () => world.server.requests.map(({ request }) => request?.model)

describe('a model with a smaller window', () => {
  it('comes after a compaction that the old model made', async () => {
    await large({ rungs: ['cold', 'digest', 'squeeze'] })
    expect(await switchModel(world.agent, world.openModel('local/small'), never)).toEqual({ ok: true, compacted: true })
    expect(models()).not.toContain('small')
    expect(world.server.requests.at(-1)?.summarising).toBe(true)
    expect(world.events.at(-1)).toEqual({ type: 'status', status: world.agent.status() })
    expect(world.agent.status()).toMatchObject({ window: 16_000 })
    expect(world.agent.status().tokens).toBeLessThanOrEqual(8_000)
    expect(await world.say('Go on.')).toMatchObject({ reason: 'done' })
    expect(world.server.requests.at(-1)).toMatchObject({ request: { model: 'small' } })
    expect(world.server.requests.at(-1)?.tokens).toBeLessThan(16_000)
  })

  it('is refused in one line while compaction is off, and the old one stays', async () => {
    await large({ mode: 'off' })
    const switched = await switchModel(world.agent, world.openModel('local/small'), never)
    expect(switched).toMatchObject({ ok: false, reason: expect.stringContaining('automatic compaction is off') })
    expect(world.agent.model.name).toBe('local/pith-test')
    const { entries } = await world.store.entries(world.session, { only: 'changes' })
    expect(entries).toEqual([])
  })

  it('is not taken when the user interrupts the compaction', async () => {
    const stop = new AbortController()
    await large(
      { rungs: ['cold'] },
      {
        brain: scriptedBrain({
          steps: ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 6_000) })),
          summary: () => {
            stop.abort()
            return { fault: 'silence' }
          },
        }),
      },
    )
    expect(await switchModel(world.agent, world.openModel('local/small'), stop.signal)).toEqual({
      ok: false,
      reason: 'Interrupted',
    })
    expect(world.agent.model.name).toBe('local/pith-test')
    expect(world.agent.info.contextWindow).toBe(200_000)
  })

  it('in mode ask is taken only after the user has agreed', async () => {
    const asked: string[] = []
    const askCompaction = async () => {
      asked.push(world.agent.model.name)
      return { kind: asked.length === 1 ? 'later' : 'compact' } as const
    }
    await large({ mode: 'ask', rungs: ['digest', 'squeeze'] }, { agent: { askCompaction } })
    const small = world.openModel('local/small')
    expect(await switchModel(world.agent, small, never)).toMatchObject({ ok: false })
    expect(await switchModel(world.agent, small, never)).toEqual({ ok: true, compacted: true })
    expect(asked).toHaveLength(2)
  })

  it('that takes no images is not sent any; the log has them, and the larger model gets them again', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
    const image = { type: 'image', image: IMAGE, mediaType: 'image/png' } as const
    await world.agent.live.append([
      { type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Look:' }, image] } },
    ])
    const body = () => JSON.stringify(world.server.requests.at(-1)?.body)
    await world.say('What is it?')
    expect(body()).toContain(IMAGE)
    await switchModel(world.agent, world.openModel('local/small'), never)
    await world.say('And now?')
    expect(body()).not.toContain(IMAGE)
    expect(saidTo(world.server.requests.at(-1)?.request)).toContain(
      '[image left out, as local/small takes none: recall #1]',
    )
    await switchModel(world.agent, world.model, never)
    await world.say('And now?')
    expect(body()).toContain(IMAGE)
    expect(world.server.violations).toEqual([])
  })

  it('that takes no images is not sent those in results of tools either', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
    const call = { type: 'tool-call', toolCallId: 'shot', toolName: 'screenshot', input: {} } as const
    const value = [
      { type: 'text' as const, text: 'The page:' },
      { type: 'image-data' as const, data: IMAGE, mediaType: 'image/png' },
    ]
    const result = { type: 'tool-result', toolCallId: 'shot', toolName: 'screenshot' } as const
    await world.agent.live.append([
      { type: 'message', message: { role: 'user', content: 'Take one.' } },
      { type: 'message', message: { role: 'assistant', content: [call] } },
      { type: 'message', message: { role: 'tool', content: [{ ...result, output: { type: 'content', value } }] } },
      { type: 'message', message: { role: 'assistant', content: 'Here it is.' } },
    ])
    await switchModel(world.agent, world.openModel('local/small'), never)
    await world.say('And now?')
    const body = JSON.stringify(world.server.requests.at(-1)?.body)
    expect(body).not.toContain(IMAGE)
    expect(body).toContain('The page:')
    expect(body).toContain('[image left out, as local/small takes none: recall #3]')
    expect(world.server.violations).toEqual([])
  })
})

it('a new model has none of the conversation in its cache: a summary is asked for by itself', async () => {
  await large({ rungs: ['warm', 'cold'] })
  expect(await switchModel(world.agent, world.openModel('local/pith-test'), never)).toEqual({
    ok: true,
    compacted: false,
  })
  expect(await compactNow(world.agent, { reason: 'manual', signal: never })).toMatchObject({ rung: 'cold' })
})
