import { afterEach, describe, expect, it } from 'vitest'
import { type AgentWorld, agentWorld } from '../support/agent-world.ts'
import { PROTOCOLS } from '../support/model-server/index.ts'
import {
  checkResult,
  makeSixtyStepsWorkspace,
  sixtyStepsBrain,
  sixtyStepsPrompt,
} from '../support/model-server/sixty-steps.ts'

let world: AgentWorld
afterEach(() => world.close())

describe('a task of sixty steps in a window of 16,000 tokens', () => {
  it.each(PROTOCOLS)(
    'is done right over %s, with several compactions by itself and no bad request',
    async (protocol) => {
      world = await agentWorld({ protocol, window: 16_000, brain: sixtyStepsBrain })
      await makeSixtyStepsWorkspace(world.workspace, 1)
      const end = await world.say(sixtyStepsPrompt(1))
      expect({ ...end, violations: world.server.violations }).toMatchObject({ reason: 'done', violations: [] })
      expect(await checkResult(world.workspace, 1)).toEqual([])
      const compactions = world.events.filter((event) => event.type === 'compaction-ended')
      expect(compactions.length).toBeGreaterThanOrEqual(3)
      expect(compactions.map(({ result }) => result.outcome)).toEqual(compactions.map(() => 'compacted'))
      expect(Math.max(...world.server.requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(16_000)
    },
    120_000,
  )
})
