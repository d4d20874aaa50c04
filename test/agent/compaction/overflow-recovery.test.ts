import { afterEach, describe, expect, it } from 'vitest'
import type { CompactionAnswer } from '../../../src/agent/agent.ts'
import { switchModel } from '../../../src/agent/compaction/switch-model.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { longText, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const never = new AbortController().signal
const overflows = () => world.server.requests.filter(({ outcome }) => outcome === 'overflow').length

/** A session of four turns with long answers: the last request is more than the provider's window of 16,000 takes. */
async function overflowed(options: Partial<AgentWorldOptions>) {
  const steps = ['one', 'two', 'three', 'four'].map((mark) => ({ text: longText(mark, 2_500) }))
  world = await agentWorld({
    window: 16_000,
    brain: scriptedBrain({ steps }),
    settings: { policy: { rungs: ['digest', 'squeeze'] } },
    ...options,
  })
  for (const text of ['First.', 'Second.', 'Third.', longText('typed', 6_000)])
    expect(await world.say(text)).toMatchObject({ reason: 'done' })
  expect(overflows()).toBe(1)
}

describe('the window that a provider names when a request is too large', () => {
  it('counts from then on: the next compaction comes before a request is too large', async () => {
    await overflowed({ believedWindow: 100_000 })
    expect(world.agent.status().window).toBe(16_000)
    for (const text of ['typed', 'more']) await world.say(longText(text, 4_000))
    expect(overflows()).toBe(1)
    expect(world.agent.status().window).toBe(16_000)
  })

  it('counts if none was known', async () => {
    await overflowed({ believedWindow: null })
    expect(world.agent.status().window).toBe(16_000)
  })

  it('does not count when it is larger than the one that is known', async () => {
    // The server says that 200,000 tokens fit.
    world = await agentWorld({ window: 50_000, brain: scriptedBrain({ steps: [{ fault: 'overflow' }] }) })
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done' })
    expect(world.agent.status().window).toBe(50_000)
    expect(world.agent.learnedWindow).toBeUndefined()
  })

  it('is that of one model: another one has its own', async () => {
    await overflowed({ believedWindow: 100_000 })
    await switchModel(world.agent, world.openModel('local/pith-test'), never)
    expect(world.agent.status().window).toBe(100_000)
  })

  it('is still known when another model was not taken', async () => {
    const answers: CompactionAnswer[] = [{ kind: 'compact' }, { kind: 'later' }]
    // The server says at the first request that 200,000 tokens fit.
    const steps = [{ fault: 'overflow' as const }, ...['one', 'two'].map((mark) => ({ text: longText(mark, 8_000) }))]
    world = await agentWorld({
      believedWindow: null,
      brain: scriptedBrain({ steps }),
      settings: { policy: { mode: 'ask' } },
      agent: { askCompaction: async () => answers.shift() ?? { kind: 'later' } },
    })
    for (const text of ['First.', 'Second.']) expect(await world.say(text)).toMatchObject({ reason: 'done' })
    expect(await switchModel(world.agent, world.openModel('local/small'), never)).toMatchObject({ ok: false })
    expect(answers).toEqual([])
    expect(world.agent.status().window).toBe(200_000)
  })
})

describe('a provider that says that a request is too large, but not how much fits', () => {
  it('is sent less than that request from then on', async () => {
    await overflowed({ protocol: 'responses', believedWindow: null })
    const refused = world.server.requests.find(({ outcome }) => outcome === 'overflow')?.tokens ?? 0
    const { window = 0 } = world.agent.status()
    expect(window).toBeLessThan(refused)
    expect(window).toBeGreaterThan(refused / 2)
  })
})

it('a provider that takes no request at all is not asked forever, and the user reads what it says', async () => {
  world = await agentWorld({ brain: () => ({ fault: 'overflow' }) })
  const end = await world.say('Do it.')
  expect(end).toMatchObject({ reason: 'context-limit' })
  expect(end.text).toMatch(
    /^The provider says that the context is full, and it could not be made smaller: .*213462 tokens > 200000/,
  )
  expect(world.server.requests).toHaveLength(2)
})

describe('in mode ask, when the provider says that a request is too large', () => {
  it.each([
    ['nobody can be asked', {}, 'automatic compaction asks first, and nobody can be asked'],
    ['the user puts it off', { askCompaction: async () => ({ kind: 'later' }) as const }, 'the compaction was put off'],
  ])('and %s, the run stops and says why and what can be done', async (_, agent, why) => {
    world = await agentWorld({ brain: () => ({ fault: 'overflow' }), settings: { policy: { mode: 'ask' } }, agent })
    const end = await world.say('Do it.')
    expect(end.reason).toBe('context-limit')
    expect(end.text).toMatch(/^The provider says that the context is full \(.+\), and /)
    expect(end.text).toContain(`and ${why}: compact it with /compact, or choose a model with a larger window`)
    expect(world.server.requests).toHaveLength(1)
  })
})

it('a hook that refuses the compaction stops the run, with its words', async () => {
  world = await agentWorld({
    brain: () => ({ fault: 'overflow' }),
    modelDeps: { env: { PATH: process.env.PATH } },
    settings: { hooks: { beforeCompaction: { command: 'echo "not now" >&2; exit 3' } } },
  })
  expect(await world.say('Do it.')).toMatchObject({ reason: 'context-limit', text: 'The context is full: not now' })
  expect(world.server.requests).toHaveLength(1)
})

describe('a policy that does not fit its target', () => {
  const settings = { policy: { fitTarget: false, rungs: ['digest' as const] } }

  it('compacts when the provider says that a request is too large', async () => {
    await overflowed({ believedWindow: 100_000, settings })
    const { entries } = await world.store.entries(world.session, { only: 'changes' })
    expect(entries.map(({ type }) => type)).toEqual(['compaction'])
  })

  it.each([
    [true, 'done', ['compaction']],
    [false, 'context-limit', []],
  ])('and whose model fails continues without one only if it must fit: %s', async (fitTarget, reason, made) => {
    const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 2_500) }))
    world = await agentWorld({
      window: 16_000,
      believedWindow: 100_000,
      brain: scriptedBrain({ steps, summary: { fault: 'http', status: 400 } }),
      settings: { policy: { fitTarget, rungs: ['cold'] } },
    })
    for (const text of ['First.', 'Second.', 'Third.']) await world.say(text)
    expect(await world.say(longText('typed', 6_000))).toMatchObject({ reason })
    const { entries } = await world.store.entries(world.session, { only: 'changes' })
    expect(entries.map(({ type }) => type).filter((type) => type === 'compaction')).toEqual(made)
  })
})
