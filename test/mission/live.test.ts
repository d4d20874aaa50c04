import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { registryOf } from '../../src/models/registry.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../support/agent-world.ts'
import { runWorld } from '../support/run-world.ts'
import { calling, longText, saidTo, scriptedBrain } from '../support/scripted-brain.ts'

let world: AgentWorld | undefined
afterEach(() => world?.close())

/** A real agent whose context is at that percentage of a window of 100,000 when its next message comes in. */
async function filledTo(percent: number, options: Partial<AgentWorldOptions> = {}): Promise<AgentWorld> {
  let text = 'Hello.'
  const brain = scriptedBrain({ steps: Array.from({ length: 20 }, () => () => ({ text })) })
  world = await agentWorld({ window: 100_000, brain, ...options })
  await world.say('Hello.')
  const words = (tokens: number) => 'answer '.repeat(Math.max(1, Math.floor((tokens * 3.6) / 7)))
  for (;;) {
    const missing = percent * 1_000 - world.agent.status().tokens
    if (missing < 200) return world
    // The last answer is the one that crosses the threshold, if there is one to cross.
    text = words(Math.min(missing, 6_000))
    await world.say(words(Math.min(missing - 6_000, 24_000)))
  }
}

describe('an agent at work', () => {
  it.each([
    ['pith', 79, false],
    ['pith', 81, true],
    ['koda', 79, false],
    ['koda', 81, true],
  ] as const)(
    'R1: with the policy %s compacts by itself before the next call at %i percent: %s',
    async (preset, percent, runs) => {
      const { agent, events, say } = await filledTo(percent, { settings: { policy: { preset } } })
      expect(Math.abs((agent.status().percent ?? 0) - percent)).toBeLessThan(1)
      await say('Go on.')
      const order = events.map(({ type }) => type)
      const at = order.indexOf('compaction')
      expect(at !== -1).toBe(runs)
      // The call that follows is the last one.
      if (runs) expect(order.slice(at).filter((type) => type === 'step-started')).toHaveLength(1)
    },
  )

  it('R3: the cheaper model of the provider writes the summary, and the main model when that fails', async () => {
    const prices = { input: 3, output: 15 }
    const known = { provider: 'local', contextWindow: 100_000, maxOutput: 8_000 }
    const modelDeps = {
      registry: registryOf([
        { ...known, model: 'pith-test', prices, tier: 'strong' },
        { ...known, model: 'cheap-1', prices: { input: 1, output: 5 }, tier: 'standard' },
      ]),
    }
    const settings = { policy: { preset: 'koda' } } as const
    const asked = ({ server }: AgentWorld) => [
      ...new Set(server.requests.filter(({ summarising }) => summarising).map(({ request }) => request?.model)),
    ]
    const first = await talkedAbout(100_000, { modelDeps, settings })
    await first.say('Go on.')
    expect(asked(first)).toEqual(['cheap-1'])
    expect(lastCompaction(first)).toMatchObject({ compacted: true, model: 'local/cheap-1' })
    await first.close()
    const failing = {
      when: ({ model }: { model: string }) => model === 'cheap-1',
      fault: { fault: 'server-error' },
    } as const
    const second = await talkedAbout(100_000, { modelDeps, settings, faults: [failing] })
    await second.say('Go on.')
    expect(asked(second)).toEqual(['cheap-1', 'pith-test'])
    expect(lastCompaction(second)).toMatchObject({ compacted: true, model: 'local/pith-test' })
  })

  it('R7: facts from MEMORY.md are in every request from the file, also after a compaction', async () => {
    const steps = Array.from({ length: 9 }, (_, n) => calling('bash', { command: `seq -f 'step-${n} %g' 1 500` }))
    world = await agentWorld({ window: 16_000, brain: scriptedBrain({ steps }) })
    writeFileSync(join(world.workspace, 'MEMORY.md'), 'The port is 8443.')
    await world.reopen()
    await world.say('Do it.')
    const conversation = world.server.requests.filter(({ summarising }) => !summarising)
    expect(conversation).toHaveLength(10)
    for (const { request } of conversation) {
      expect(request?.system).toContain('The port is 8443.')
      expect(saidTo(request)).not.toContain('8443')
    }
    expect(lastCompaction(world)).toMatchObject({ compacted: true })
  })
})

describe('pith run', () => {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 3_000) }))

  it('A2: compacts at model_auto_compact_token_limit when a message comes in', async () => {
    const user = await runWorld({
      brain: scriptedBrain({ steps }),
      config: 'model_auto_compact_token_limit: 11000\npolicy: { preset: agent, preserve_count: 1 }',
    })
    for (const args of [['First.'], ['-c', 'Second.'], ['-c', 'Third.']]) {
      expect((await user.here('run', ...args)).stderr).not.toContain('Compacting')
    }
    const { stderr, code } = await user.here('run', '-c', 'Fourth.')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^⚡ Compacting…\n✓ Compacted \d+ messages\n {2}Tokens: 1\d{4} → \d{3,4} \(saved \d+\)\n/)
    const [summary, next] = user.server.requests.slice(-2)
    expect(summary?.summarising).toBe(true)
    expect(saidTo(summary?.request)).not.toContain('Fourth.')
    expect(saidTo(next?.request)).toContain('Fourth.')
    expect(next?.tokens).toBeLessThan(11_000)
  })

  it('R2: an automatic compaction shows ⚡ Compacting…', async () => {
    const user = await runWorld({
      brain: scriptedBrain({ steps: [{ text: longText('one', 6_000) }] }),
      config: 'model_auto_compact_token_limit: 8000',
    })
    expect((await user.here('run', 'First.')).stderr).not.toContain('Compacting')
    expect((await user.here('run', '-c', 'Second.')).stderr.split('\n')[0]).toBe('⚡ Compacting…')
  })
})

/** A session of several turns whose context is above 80 % of the window. */
async function talkedAbout(window: number, options: Partial<AgentWorldOptions>): Promise<AgentWorld> {
  const steps = Array.from({ length: 5 }, (_, n) => ({ text: longText(`answer ${n}`, window * 0.065) }))
  world = await agentWorld({ window, brain: scriptedBrain({ steps }), ...options })
  for (const [n, { text }] of steps.entries())
    await world.say(`About ${text.slice(0, 9)}.\n${longText(`question ${n}`, window * 0.1)}`)
  return world
}

function lastCompaction({ events }: AgentWorld) {
  return events.findLast((event) => event.type === 'compaction-ended')?.result
}
