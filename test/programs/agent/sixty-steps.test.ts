import { afterEach, describe, expect, it } from 'vitest'
import { Agent, type AgentEvent } from '../../../src/agent/agent.ts'
import { runTurn, userMessage } from '../../../src/agent/loop/run-turn.ts'
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

/**
 * In the short form two others work through the sixty steps elsewhere: `chat` below, `responses` in faults.test.ts. Most tests
 * of the agent work over `anthropic`.
 */
const protocols = full ? PROTOCOLS : (['google'] as const)

describe('a task of sixty steps in a window of 16,000 tokens', () => {
  it.each(protocols)(
    'is done right over %s, with several compactions by itself and no bad request',
    async (protocol) => {
      const counted: { status: Status; request: number }[] = []
      const onEvent = (event: AgentEvent) => {
        world.events.push(event)
        if (event.type !== 'step-started') return
        counted.push({ status: world.agent.status(), request: world.server.requests.length })
      }
      // One of them keeps the files around each command, as the program does.
      const settings = protocol === 'google' ? { checkpointMb: 500 } : {}
      world = await agentWorld({ protocol, window: 16_000, brain: sixtyStepsBrain, agent: { onEvent }, settings })
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

/** In 8,000 tokens the agent's own prompt and tools are a quarter: a tenth is not to be had there. */
const sizes = full
  ? [
      { window: 8_000, percent: 25 },
      { window: 8_000, percent: 60 },
      ...[32_000, 200_000, 1_000_000].flatMap((window) => [10, 60].map((percent) => ({ window, percent }))),
    ]
  : [{ window: 8_000, percent: 60 }]

describe('a task of sixty steps beside a large fixed part', () => {
  it.each(sizes)(
    'is done right in a window of $window tokens of which prompt and tools take $percent percent',
    async ({ window, percent }) => {
      world = await agentWorld({ protocol: 'chat', window, brain: sixtyStepsBrain })
      await makeSixtyStepsWorkspace(world.workspace, 3)
      const end = await runTurn(besideOtherTools((window * percent) / 100), userMessage(sixtyStepsPrompt(3)), NO_SIGNAL)
      // A summary that is refused is made by the next rung: in a small window there may be no room to ask after the request.
      const asked = world.server.requests.filter(({ summarising }) => !summarising).map(({ number }) => number)
      const violations = world.server.violations.filter(({ number }) => asked.includes(number))
      expect({ ...end, violations }).toMatchObject({ reason: 'done', violations: [] })
      expect(await checkResult(world.workspace, 3)).toEqual([])
      const first = world.server.requests[0]?.tokens ?? 0
      console.log(
        `${window} tokens: ${first} in the first request, ${world.server.requests.length} requests, ${world.events.filter(({ type }) => type === 'compaction-ended').length} compactions`,
      )
      expect(first).toBeGreaterThan((window * percent) / 100)
    },
    240_000,
  )

  it('continues if it fits by our own count, though the provider counts more', async () => {
    world = await agentWorld({ protocol: 'chat', window: 8_000, brain: sixtyStepsBrain, settings: { stepLimit: 12 } })
    await makeSixtyStepsWorkspace(world.workspace, 3)
    const end = await runTurn(besideOtherTools(5_900), userMessage(sixtyStepsPrompt(3)), NO_SIGNAL)
    expect(end).toMatchObject({ reason: 'step-limit', steps: 12 })
  })

  it('ends with one line that names the largest part if there is no room to work', async () => {
    world = await agentWorld({ protocol: 'chat', window: 8_000, brain: sixtyStepsBrain })
    await makeSixtyStepsWorkspace(world.workspace, 3)
    const end = await runTurn(besideOtherTools(7_700), userMessage(sixtyStepsPrompt(3)), NO_SIGNAL)
    expect(end.reason).toBe('context-limit')
    expect(end.text).toMatch(/the largest part is the tool schemas/)
    expect(end.text).toMatch(/larger window/)
    expect(end.text).not.toContain('\n')
  })
})

const NO_SIGNAL = new AbortController().signal
/** As the model server counts. */
const CHARACTERS_PER_TOKEN = 3.6
const LINE = 'What this tool of another server does, one of very many. '
const LINES = 60

/** The agent with tools of other servers beside its own, so that prompt and tools take this many tokens. */
function besideOtherTools(tokens: number): Agent {
  const { deps, live, model, toolSchemas } = world.agent
  const own = JSON.stringify(world.agent.sentTools).length + deps.fixed.blocks().join('').length
  const lines = Math.floor((tokens * CHARACTERS_PER_TOKEN - own) / LINE.length)
  const others = Array.from({ length: Math.ceil(lines / LINES) }, (_, i) => ({
    name: `other_${i}`,
    description: LINE.repeat(Math.min(LINES, lines - i * LINES)),
    inputSchema: { type: 'object', properties: {} },
  }))
  return new Agent(deps, live, model, [...toolSchemas, ...others])
}
