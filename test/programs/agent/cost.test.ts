import { afterEach, expect, it } from 'vitest'
import { registryOf } from '../../../src/models/registry.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

it('a turn of many short requests is not charged as one long one', async () => {
  const steps = [1, 2, 3, 4].map((n) => calling('bash', { command: `seq -f 'step-${n} %g' 1 100` }))
  const long = { above: 10_000, input: 1_000_000, output: 1_000_000 }
  const prices = { input: 1_000, output: 0, long }
  const info = { provider: 'local', model: 'pith-test', contextWindow: 200_000, maxOutput: 8_000, prices }
  world = await agentWorld({ brain: scriptedBrain({ steps }), modelDeps: { registry: registryOf([info]) } })
  const end = await world.say('Do it.')
  expect(end.usage?.inputTokens).toBeGreaterThan(long.above)
  expect(end.cost).toBeCloseTo(((end.usage?.inputTokens ?? 0) * prices.input) / 1_000_000, 6)
})
