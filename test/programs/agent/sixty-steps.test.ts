import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/agent/events.ts'
import type { Status } from '../../../src/tokens/status.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { full } from '../../support/full.ts'
import { PROTOCOLS } from '../../support/model-server/index.ts'
import {
  checkResult,
  makeSixtyStepsWorkspace,
  sixtyStepsBrain,
  sixtyStepsPrompt,
} from '../../support/model-server/sixty-steps.ts'

let world: AgentWorld
afterEach(() => world.close())

describe('a task of sixty steps in a window of 16,000 tokens', () => {
  it.each(PROTOCOLS)(
    'is done right over %s, with several compactions by itself and no bad request',
    async (protocol) => {
      const counted: { status: Status; request: number }[] = []
      const onEvent = (event: AgentEvent) => {
        world.events.push(event)
        if (event.type !== 'step-started') return
        counted.push({ status: world.agent.status(), request: world.server.requests.length })
      }
      world = await agentWorld({ protocol, window: 16_000, brain: sixtyStepsBrain, agent: { onEvent } })
      await makeSixtyStepsWorkspace(world.workspace, 1)
      const end = await world.say(sixtyStepsPrompt(1))
      expect({ ...end, violations: world.server.violations }).toMatchObject({ reason: 'done', violations: [] })
      expect(await checkResult(world.workspace, 1)).toEqual([])
      const compactions = world.events.filter((event) => event.type === 'compaction-ended')
      expect(compactions.length).toBeGreaterThanOrEqual(3)
      expect(compactions.map(({ result }) => result.outcome)).toEqual(compactions.map(() => 'compacted'))
      expect(Math.max(...world.server.requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(16_000)
      const errors = counted.map(({ status: { tokens, source }, request }) => {
        const real = world.server.requests[request]?.tokens ?? 0
        return { source, error: Math.abs(tokens - real) / real }
      })
      const worst = (source: string) =>
        Math.max(...errors.filter((one) => one.source === source).map(({ error }) => error))
      const percent = (source: string) => `${(worst(source) * 100).toFixed(1)} %`
      console.log(
        `${protocol}: in ${errors.length} requests the status was off by ${percent('provider')} at worst, where the provider had counted nothing yet by ${percent('estimate')}`,
      )
      expect(errors.length).toBeGreaterThanOrEqual(30)
      expect(worst('provider')).toBeLessThan(0.12)
      // The server counts the JSON around the texts too, which after a mask is much of it.
      expect(worst('estimate')).toBeLessThan(0.4)
    },
    120_000,
  )
})

/** In 8,000 tokens the schemas of the tools leave room for little more, and a file of instructions has at most a megabyte. */
const sizes = full
  ? [
      { window: 8_000, percent: 10 },
      ...[32_000, 200_000].flatMap((window) => [10, 60].map((percent) => ({ window, percent }))),
      ...[10, 25].map((percent) => ({ window: 1_000_000, percent })),
    ]
  : [{ window: 32_000, percent: 60 }]
const LINE = 'A rule of this project, one of very many.\n'

describe('a task of sixty steps beside a large fixed part', () => {
  it.each(sizes)(
    'is done right in a window of $window tokens with instructions of $percent percent',
    async ({ window, percent }) => {
      world = await agentWorld({ protocol: 'chat', window, brain: sixtyStepsBrain })
      await makeSixtyStepsWorkspace(world.workspace, 3)
      const tokens = (window * percent) / 100
      writeFileSync(join(world.workspace, 'AGENTS.md'), LINE.repeat(Math.floor((tokens * 3.6) / LINE.length)))
      await world.reopen()
      const end = await world.say(sixtyStepsPrompt(3))
      expect({ ...end, violations: world.server.violations }).toMatchObject({ reason: 'done', violations: [] })
      expect(await checkResult(world.workspace, 3)).toEqual([])
    },
    120_000,
  )
})
