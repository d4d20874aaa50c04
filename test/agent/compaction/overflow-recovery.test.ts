import { afterEach, describe, expect, it } from 'vitest'
import type { CompactionAnswer } from '../../../src/agent/agent.ts'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { switchModel } from '../../../src/agent/compaction/switch-model.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import type { Fault } from '../../support/model-server/index.ts'
import { longText, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const never = new AbortController().signal
const overflows = () => world.server.requests.filter(({ outcome }) => outcome === 'overflow').length

/** A session of four turns, three with long answers: the last request is more than the provider's window of 16,000 takes. */
async function overflowed(options: Partial<AgentWorldOptions>) {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 2_500) }))
  world = await agentWorld({
    window: 16_000,
    brain: scriptedBrain({ steps: [...steps, { text: longText('four', 1_000) }] }),
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

/** Refusals that name no size: a proxy's, which may count bytes, and a provider's. */
const NUMBERLESS = [
  { fault: 'http', status: 413 },
  { fault: 'http', status: 400, message: 'Your input exceeds the context window of this model.' },
] as const satisfies Fault[]

/** A session of three short turns, a hundredth of the window, and then as many refusals. */
async function refused(fault: Fault, times: number, options: Partial<AgentWorldOptions> = {}) {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 2_500) }))
  const refusals = Array.from({ length: times }, () => fault)
  world = await agentWorld({
    protocol: 'chat',
    brain: scriptedBrain({ steps: [...steps, ...refusals] }),
    ...options,
    settings: { policy: { rungs: ['digest', 'squeeze'], ...options.settings?.policy } },
  })
  for (const text of ['First.', 'Second.', 'Third.']) expect(await world.say(text)).toMatchObject({ reason: 'done' })
  return world.say('Fourth.')
}

const sizes = () => world.server.requests.map(({ tokens }) => tokens)

describe.each(NUMBERLESS)('a refusal as too large that names no size (HTTP $status)', (fault) => {
  it('is tried once more, smaller, and does not change a window that is known', async () => {
    expect(await refused(fault, 1)).toMatchObject({ reason: 'done' })
    const [before = 0, retry = 0] = sizes().slice(-2)
    expect(retry).toBeLessThan(before)
    expect(world.agent.status().window).toBe(200_000)
  })

  it('a second time is shown in the words of the provider, and the session continues', async () => {
    const { reason, text } = await refused(fault, 2)
    expect({ reason, text }).toEqual({
      reason: 'context-limit',
      text: expect.stringContaining(`HTTP ${fault.status}`),
    })
    expect(world.server.requests).toHaveLength(5)
    expect(world.agent.status().window).toBe(200_000)
    expect(world.events.findLast(({ type }) => type === 'status')).toMatchObject({ status: { window: 200_000 } })
    expect(await world.say(longText('typed', 20_000))).toMatchObject({ reason: 'done' })
  })

  it.each([
    ['keen', { preset: 'keen' }],
    ['off', { mode: 'off' }],
    ['ask', { mode: 'ask' }],
  ] as const)('is shown at once under %s, and the session continues', async (_, policy) => {
    const { reason, text } = await refused(fault, 1, { settings: { policy } })
    expect({ reason, text }).toEqual({
      reason: 'context-limit',
      text: expect.stringContaining(`HTTP ${fault.status}`),
    })
    expect(world.server.requests).toHaveLength(4)
    expect(world.agent.status().window).toBe(200_000)
    expect(await world.say(longText('typed', 20_000))).toMatchObject({ reason: 'done' })
  })

  it('teaches no window below the largest request that the model has answered, also before a compaction', async () => {
    const steps = [5_000, 5_000, 5_000, 2_500].map((tokens, i) => ({ text: longText(`answer ${i}`, tokens) }))
    world = await agentWorld({
      protocol: 'chat',
      believedWindow: null,
      brain: scriptedBrain({ steps: [...steps, fault] }),
      settings: { policy: { rungs: ['digest', 'squeeze'], keepTokens: 2_000 } },
    })
    for (const text of ['First.', 'Second.', 'Third.']) expect(await world.say(text)).toMatchObject({ reason: 'done' })
    const largest = Math.max(...sizes())
    expect(await compactNow(world.agent, { reason: 'manual', signal: never })).toMatchObject({ compacted: true })
    for (const text of ['Fourth.', 'Fifth.']) expect(await world.say(text)).toMatchObject({ reason: 'done' })
    expect(world.server.requests).toHaveLength(6)
    expect(world.agent.info.contextWindow ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(largest)
  })
})

it('a window that a provider names is not believed below a request that the model has answered', async () => {
  const message = "This model's maximum context length is 4096 tokens. Please reduce the length of the messages."
  await refused({ fault: 'http', status: 400, message }, 1)
  const largest = Math.max(...sizes().slice(0, 3))
  expect(world.agent.status().window).toBeGreaterThanOrEqual(largest)
  expect(world.agent.status().window).toBeLessThan(200_000)
  expect(await world.say('Fifth.')).toMatchObject({ reason: 'done' })
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
