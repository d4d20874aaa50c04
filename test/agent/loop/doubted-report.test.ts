import { afterEach, expect, it } from 'vitest'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { full } from '../../support/full.ts'
import { PROTOCOLS } from '../../support/model-server/index.ts'
import { printing, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const doubts = () =>
  world.events.flatMap((event) => (event.type === 'notice' && event.text.includes('reported') ? [event.text] : []))

it.each(full ? PROTOCOLS : (['anthropic', 'chat'] as const))(
  'a report that cannot be right is shown once over %s, and no request is too large',
  async (protocol) => {
    const steps = Array.from({ length: 10 }, (_, n) => printing(`step ${n}`, 300))
    world = await agentWorld({
      protocol,
      window: 16_000,
      brain: scriptedBrain({ steps }),
      // The part of the input that was not cached, as some proxies report it.
      reports: ({ input, cacheRead, ...rest }) => ({
        ...rest,
        input: Math.min(600, input - cacheRead),
        cacheRead: 0,
        cacheWrite: 0,
      }),
    })
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done', steps: 11 })
    expect(world.server.violations).toEqual([])
    expect(world.server.requests.filter(({ outcome }) => outcome === 'overflow')).toEqual([])
    expect(doubts()[0]).toMatch(
      /^The provider reported \d+ tokens for a context of about [\d,]+: the estimate counts instead$/,
    )
    expect(doubts().length).toBeLessThanOrEqual(3)
    expect(world.agent.status()).toMatchObject({ source: 'estimate' })
  },
)

it('a report that is right is not doubted', async () => {
  const steps = Array.from({ length: 3 }, (_, n) => printing(`step ${n}`, 300))
  world = await agentWorld({ window: 16_000, brain: scriptedBrain({ steps }) })
  await world.say('Do it.')
  expect(doubts()).toEqual([])
  expect(world.agent.status().source).toBe('provider')
})

it('a provider that reports half ends no session: it refuses a request, and the next ones are smaller', async () => {
  const steps = Array.from({ length: 20 }, (_, n) => printing(`step ${n}`, 300))
  world = await agentWorld({
    window: 16_000,
    brain: scriptedBrain({ steps }),
    reports: ({ input, ...rest }) => ({ ...rest, input: Math.round(input / 2), cacheRead: 0, cacheWrite: 0 }),
  })
  expect(await world.say('Do it.')).toMatchObject({ reason: 'done', steps: 21 })
  expect(world.server.requests.filter(({ outcome }) => outcome === 'overflow').length).toBeLessThanOrEqual(3)
})
