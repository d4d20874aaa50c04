import { afterEach, describe, expect, it } from 'vitest'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { PROTOCOLS } from '../../support/model-server/index.ts'
import { conversationIn, frontOf } from '../../support/request-bodies.ts'
import { calling, printing, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

describe('after a pause in which the provider has forgotten the last request', () => {
  it('the agent compacts earlier than it would else, and says why', async () => {
    let later = 0
    const steps = Array.from({ length: 5 }, (_, n) => printing(`line of the file ${n}`, 600))
    world = await agentWorld({
      brain: scriptedBrain({ steps }),
      window: 60_000,
      agent: { clock: () => Date.now() + later },
      settings: {
        policy: { rungs: ['mask', 'digest', 'squeeze'], keepTokens: 1_000, targetPercent: 30, endOfWorkPercent: 100 },
      },
    })
    world.agent.model = { ...world.agent.model, cacheLifetimeMs: 5 * 60_000 }
    await world.say('Count.')
    const notices = () => world.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
    const { tokens } = world.agent.status()
    expect(tokens).toBeLessThan(world.agent.budget().trigger ?? 0)
    expect(tokens).toBeGreaterThan(world.agent.budget().coldTrigger ?? 0)
    await world.say('Fine.')
    expect(world.agent.status().tokens).toBeGreaterThan(tokens)
    later = 6 * 60_000
    await world.say('And now?')
    expect(world.agent.status().tokens).toBeLessThan(tokens)
    expect(notices()).toEqual([expect.stringContaining('the prompt cache has expired')])
  })
})

describe.each(PROTOCOLS)('over %s', (protocol) => {
  it('each request reads from the cache all of the one before it, and so does a warm summary', async () => {
    const steps = Array.from({ length: 8 }, (_, n) => calling('bash', { command: `seq -f 'step-${n} %g' 1 400` }))
    world = await agentWorld({
      protocol,
      brain: scriptedBrain({ steps }),
      settings: { policy: { tokenLimit: 11_000, rungs: ['warm', 'digest', 'squeeze'] } },
    })
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done', steps: 9 })
    expect(world.server.violations).toEqual([])
    const { requests } = world.server
    const warm = requests.findIndex(({ summarising }) => summarising)
    expect(warm).toBeGreaterThan(3)
    for (const [i, record] of requests.slice(0, warm + 1).entries()) {
      const former = requests[i - 1]
      if (former === undefined) continue
      const said = conversationIn(former)
      expect(frontOf(record)).toEqual(frontOf(former))
      expect(conversationIn(record).slice(0, said.length)).toEqual(said)
      // Where two requests part is found to a character, not to a token.
      expect(record.usage?.cacheRead).toBeGreaterThanOrEqual((former.usage?.input ?? 0) * 0.98)
    }
    // After it the summary is new, but the part before it is not.
    expect(requests[warm + 1]?.usage?.cacheRead).toBeGreaterThan(1_000)
    expect(world.events.find((event) => event.type === 'compaction-ended')?.result).toMatchObject({ rung: 'warm' })
  })
})
