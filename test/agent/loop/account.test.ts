import { afterEach, describe, expect, it } from 'vitest'
import { registryOf } from '../../../src/models/registry.ts'
import { SpentMeter } from '../../../src/session/account/spent-meter.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { BILLED_PRICES, billed } from '../../support/model-server/billed.ts'
import type { Answer } from '../../support/model-server/index.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const thought: Answer = { reasoning: 'I had better think about that for some time before I say anything.' }

describe.each(['anthropic', 'responses', 'chat', 'google'] as const)(
  'the cost reported over %s is the cost billed',
  (protocol) => {
    it.each<[string, Answer[]]>([
      ['empty and thinking alone', [{ text: '' }, thought, { text: 'Here.' }]],
      ['refused', [{ text: '', finish: 'content-filter' }]],
      ['refused in the middle', [{ text: 'I could tell', finish: 'content-filter' }]],
      ['cut, and nothing after it', [{ text: 'It goes on and', finish: 'length' }, { text: '' }]],
      ['cut, and continued', [{ text: 'It goes on and', finish: 'length' }, { text: ' ends here.' }]],
    ])('when answers are %s', async (_, steps) => {
      world = await agentWorld({ protocol, brain: scriptedBrain({ steps }) })
      const end = await world.say('Tell me.')
      expect(world.server.requests).toHaveLength(steps.length)
      expect(end.cost).toBeCloseTo(billed(world.server.requests), 9)
      const info = { provider: 'local', model: 'pith-test', prices: BILLED_PRICES }
      const meter = new SpentMeter(registryOf([info]))
      await meter.read(world.store, world.session)
      expect(meter.report).toMatchObject({ calls: steps.length })
      expect(meter.report.cost).toBeCloseTo(billed(world.server.requests), 9)
    })
  },
)

it('a turn reports the tokens of its compactions, too', async () => {
  const steps: Answer[] = Array.from({ length: 6 }, (_, n) => ({
    calls: [{ name: 'bash', input: { command: `seq -f 'word-${n} %g' 1 900` } }],
  }))
  const policy = { rungs: ['cold' as const] }
  world = await agentWorld({ window: 16_000, brain: scriptedBrain({ steps }), settings: { policy } })
  const end = await world.say('Do it.')
  const all = world.server.requests.flatMap(({ usage }) => usage ?? [])
  expect(world.server.requests.some(({ summarising }) => summarising)).toBe(true)
  expect(end.usage?.inputTokens).toBe(all.reduce((sum, { input }) => sum + input, 0))
  expect(end.usage?.outputTokens).toBe(all.reduce((sum, { output }) => sum + output, 0))
})
