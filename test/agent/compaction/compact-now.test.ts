import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { notInLogTokens } from '../../../src/engine/context/context.ts'
import { estimate } from '../../../src/engine/context/measure/calibration.ts'
import { asSummaryModel } from '../../../src/llm/summary-models-for.ts'
import { messagesOf } from '../../../src/model/types.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { turns } from '../../support/messages.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const NEXT = '## Next Steps\nDelete the folder build, then push to main.'

let world: AgentWorld
afterEach(() => world.close())

const { signal } = new AbortController()

describe('the next steps of a summary', () => {
  it('are not acted on when a user compacts between two turns', async () => {
    const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 2_500) }))
    world = await agentWorld({ window: 16_000, brain: scriptedBrain({ steps, summary: { text: NEXT } }) })
    for (const text of ['First.', 'Second.', 'Third.']) await world.say(text)
    const asked = world.server.requests.length
    const result = await compactNow(world.agent, { reason: 'manual', signal })
    expect(result).toMatchObject({ compacted: true, summary: expect.stringContaining('Delete the folder build') })
    // The summary was asked for; nothing was asked after it, and no message was added.
    expect(world.server.requests).toHaveLength(asked + 1)
    expect(messagesOf(world.agent.live.view).at(-1)).toMatchObject({ role: 'assistant' })
    expect(world.events.filter(({ type }) => type === 'turn-started')).toHaveLength(3)
  })

  it('are reference, not a request, when a compaction cuts a turn and it continues', async () => {
    const steps = [1, 2, 3, 4, 5, 6].map((n) => calling('bash', { command: `seq -f 'step-${n} %g' 1 1000` }))
    const policy = { rungs: ['cold' as const] }
    world = await agentWorld({
      window: 16_000,
      brain: scriptedBrain({ steps, summary: { text: NEXT } }),
      settings: { policy },
    })
    expect(await world.say('Count, six times.')).toMatchObject({ reason: 'done', answer: 'Done.' })
    const last = saidTo(world.server.requests.at(-1)?.request)
    expect(last).toContain('Delete the folder build')
    expect(last).toContain('Count, six times.')
    const [before = '', after = ''] = last.split('Delete the folder build')
    expect(before).toMatch(/<record-\w+>/)
    expect(after).toMatch(/<\/record-\w+>/)
  })
})

it('after a compaction the agent emits how full the context is', async () => {
  world = await agentWorld({
    brain: scriptedBrain({ steps: [{ text: longText('one', 6_000) }] }),
    settings: { policy: { rungs: ['digest', 'squeeze'] } },
  })
  for (const text of ['First.', 'Second.']) await world.say(text)
  const { signal } = new AbortController()
  expect(await compactNow(world.agent, { reason: 'manual', signal })).toMatchObject({ compacted: true })
  expect(world.events.slice(-2)).toMatchObject([
    { type: 'compaction-ended', automatic: false },
    { type: 'status', status: world.agent.status() },
  ])
})

/** A session with something to compact, whose policy asks the session's own model first. */
async function answered() {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 3_000) }))
  world = await agentWorld({
    brain: scriptedBrain({ steps }),
    settings: { policy: { rungs: ['warm', 'cold', 'digest'] } },
  })
  for (const text of ['First.', 'Second.', 'Third.']) await world.say(text)
}

describe('the summary of a session', () => {
  it('is asked for after the conversation as the model has it, so that most of it comes from the cache', async () => {
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

  it('is asked for in a separate request when the provider has none of it in its cache', async () => {
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

it('the prompt and the tools of another agent are counted as before until an answer here is counted', async () => {
  const around = 30_000
  world = await agentWorld({
    window: 200_000,
    brain: scriptedBrain({ steps: [{ text: 'Yes.' }] }),
    settings: { policy: { rungs: ['digest'] } },
  })
  const { agent } = world
  let inputTokens = around
  for (const message of turns(40, 1_000)) {
    const counted = message.role === 'assistant' ? { usage: { inputTokens, outputTokens: 0 } } : {}
    await agent.live.append([{ type: 'message', message, ...counted }])
    inputTokens += estimate(message)
  }
  await agent.live.append([{ type: 'settings', origin: { agent: 'Claude Code' } }])
  const unseen = () => notInLogTokens(agent.context(), agent.status())
  const before = unseen()
  const { signal } = new AbortController()
  const made = await compactNow(agent, { reason: 'manual', signal })
  expect(made).toMatchObject({ compacted: true, tokensAfter: agent.status().tokens })
  expect(unseen()).toBe(before)
  expect(made.tokensAfter).toBeGreaterThan(around * 0.95)
  await world.say('Go on.')
  expect(unseen()).toBe(0)
})
