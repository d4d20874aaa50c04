import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { asSummaryModel } from '../../../src/llm/summary-models-for.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { longText, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const { signal } = new AbortController()

/** A session with something to compact, whose policy asks the session's own model first. */
async function answered() {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 3_000) }))
  world = await agentWorld({
    brain: scriptedBrain({ steps }),
    settings: { policy: { rungs: ['warm', 'cold', 'digest'] } },
  })
  for (const text of ['First.', 'Second.', 'Third.']) await world.say(text)
}

it('what the model has not read yet does not count towards the time of a compaction', async () => {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  await world.say('First.')
  const unread = () => world.agent.status().tokens - world.agent.readTokens()
  expect(unread()).toBe(0)
  await world.agent.live.append([{ type: 'message', message: { role: 'user', content: longText('typed', 3_000) } }])
  expect(unread()).toBeGreaterThan(2_000)
})

describe('the summary of a session', () => {
  it('is asked for behind the conversation as the model has it, so that most of it comes from the cache', async () => {
    await answered()
    const before = world.server.requests.at(-1)
    expect(await compactNow(world.agent, { reason: 'manual', signal })).toMatchObject({ rung: 'warm' })
    const { request, usage } = world.server.requests.at(-1) ?? {}
    const sent = before?.request?.messages ?? []
    expect(request?.system).toBe(before?.request?.system)
    expect(request?.tools).toEqual(before?.request?.tools)
    expect(request?.messages.slice(0, sent.length)).toEqual(sent)
    expect(usage?.cacheRead).toBeGreaterThan((before?.tokens ?? 0) / 2)
  })

  it('is asked for in a request of its own when the provider has nothing of it in its cache', async () => {
    await answered()
    await world.reopen()
    world.agent.lastCall = undefined
    expect(await compactNow(world.agent, { reason: 'manual', signal })).toMatchObject({ rung: 'cold' })
    expect(world.server.requests.at(-1)?.request?.tools).toEqual([])
  })

  it('is written by the models that are named for this once, and by no other', async () => {
    await answered()
    const before = world.server.requests.length
    const summaryModels = [asSummaryModel(world.openModel('local/small'))]
    expect(await compactNow(world.agent, { reason: 'manual', summaryModels, signal })).toMatchObject({ rung: 'cold' })
    expect(world.server.requests.slice(before).map(({ request }) => request?.model)).toEqual(['small'])
  })
})
