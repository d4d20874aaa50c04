import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { lastCallOf } from '../../../src/agent/open/open-agent.ts'
import type { Settings } from '../../../src/config/tables/settings.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { calling, longText, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const SIGNAL = new AbortController().signal

describe('the level of reasoning', () => {
  it.each<[Settings['reasoning'], string | undefined]>([
    ['high', 'high'],
    [{ 'local/pith-test': 'low' }, 'low'],
    [{ 'local/other': 'low' }, undefined],
    [undefined, undefined],
  ])('%o reaches the provider', async (reasoning, sent) => {
    world = await agentWorld({ protocol: 'chat', brain: scriptedBrain({ steps: [] }), settings: { reasoning } })
    await world.say('Hello.')
    expect(world.server.requests[0]?.body).toMatchObject(sent === undefined ? {} : { reasoning_effort: sent })
    if (sent === undefined) expect(world.server.requests[0]?.body).not.toHaveProperty('reasoning_effort')
  })
})

describe('a session that another process held', () => {
  const policy = { rungs: ['warm' as const, 'cold' as const] }
  const steps = [1, 2, 3, 4, 5, 6].map((n) => calling('bash', { command: `seq -f 'word-${n} %g' 1 300` }))

  it('is compacted on what the provider still has in its cache', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps }), settings: { policy } })
    await world.say(longText('Do it', 400))
    const before = world.agent.lastCall
    await world.reopen()
    expect(world.agent.lastCall).toEqual({ at: expect.any(Number), sentMessages: before?.sentMessages })
    const done = await compactNow(world.agent, { reason: 'manual', signal: SIGNAL })
    expect(done).toMatchObject({ compacted: true, rung: 'warm' })
    const last = world.server.requests.at(-1)
    expect(last?.summarising).toBe(true)
    expect(last?.usage?.cacheRead).toBeGreaterThan((last?.usage?.input ?? 0) / 2)
  })

  it('has nothing in the cache after a compaction, nor for another model', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps }), settings: { policy } })
    await world.say(longText('Do it', 400))
    const { agent, openModel } = world
    agent.model = openModel('local/small')
    expect(lastCallOf(agent)).toBeUndefined()
    await compactNow(await world.reopen(), { reason: 'manual', signal: SIGNAL })
    await world.reopen()
    expect(world.agent.lastCall).toBeUndefined()
  })
})
