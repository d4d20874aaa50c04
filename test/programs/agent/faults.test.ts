import { afterEach, describe, expect, it } from 'vitest'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { full } from '../../support/full.ts'
import {
  type Fault,
  type FaultRule,
  isSummarising,
  type ModelRequest,
  PROTOCOLS,
  type ProtocolName,
} from '../../support/model-server/index.ts'
import {
  checkResult,
  makeSixtyStepsWorkspace,
  sixtyStepsBrain,
  sixtyStepsPrompt,
} from '../../support/model-server/sixty-steps.ts'
import { summarised } from '../../support/summarised.ts'

let world: AgentWorld
afterEach(() => world.close())

/** Runs the sixty steps to their end under faults; the work is done right in spite of them. */
async function survives(options: Partial<AgentWorldOptions>): Promise<void> {
  world = await agentWorld({
    window: 16_000,
    brain: sixtyStepsBrain,
    ...options,
  })
  await makeSixtyStepsWorkspace(world.workspace, 7)
  const end = await world.say(sixtyStepsPrompt(7))
  expect(end).toMatchObject({ reason: 'done' })
  expect(await checkResult(world.workspace, 7)).toEqual([])
}

const at = (numbers: readonly number[], fault: Fault): FaultRule => ({ at: numbers, fault })

/** For faults that are silent. A slow machine is silent too, so tests without silent faults have more patience. */
const IMPATIENT = { patience: { silenceMs: 1_000, firstByteMs: 1_000 } }

/**
 * Before the first answer, in the middle, and later twice in a row. By the number of the agent's own call, for how many
 * summaries are asked for in between depends on sizes; and not right after a compaction, for no provider refuses a third
 * of its window and then what is left of that.
 */
function refusals(middle: number, later: number): FaultRule {
  let calls = 0
  const due = [
    { from: 1, messages: 1 },
    { from: middle, messages: 12 },
    { from: later, messages: 12 },
    { from: later, messages: 1 },
  ]
  const isNow = ({ messages }: ModelRequest) => {
    calls++
    const [next] = due
    if (next === undefined || calls < next.from || messages.length < next.messages) return false
    due.shift()
    return true
  }
  return { when: (request) => !isSummarising(request) && isNow(request), fault: { fault: 'overflow' } }
}

const UNMASKED: AgentWorldOptions['settings'] = { policy: { rungs: ['warm', 'cold', 'digest', 'squeeze'] } }

/** In the short form the faults below, one of every kind, are all. */
const RANDOM: readonly (readonly [ProtocolName, number])[] = full
  ? PROTOCOLS.flatMap((protocol) => [11, 12, 13, 14, 15, 16].map((seed) => [protocol, seed] as const))
  : []

// The short form has two runs: one through every fault and refusal, with summaries instead of masks, and one over
// `responses` in a window that is not known, without summaries.
describe('a run of sixty steps', () => {
  it('continues through one fault of every kind, and shows each to the user', async () => {
    await survives({
      modelDeps: IMPATIENT,
      settings: full ? {} : UNMASKED,
      faults: [
        ...(full ? [] : [refusals(17, 46)]),
        at([3], { fault: 'rate-limit', retryAfterSeconds: 1 }),
        at([8, 9], { fault: 'server-error' }),
        at([14], { fault: 'overloaded' }),
        at([20], { fault: 'reset' }),
        at([26], { fault: 'reset-in-stream' }),
        at([32], { fault: 'malformed' }),
        at([38], { fault: 'error-in-stream' }),
        at([44], { fault: 'silence' }),
        at([50], { fault: 'silence-in-stream' }),
        at([56], { fault: 'truncated' }),
      ],
    })
    const shown = world.events.filter(
      (event) =>
        event.type === 'retry' ||
        event.type === 'answer-void' ||
        (event.type === 'compaction' && (event.event.type === 'retry' || event.event.type === 'refused')),
    )
    expect(shown.length).toBeGreaterThanOrEqual(11)
    expect(world.server.requests.length).toBeLessThan(120)
    if (full) return
    expectSummaries()
    expectOverflows()
  }, 120_000)

  it.each(RANDOM)(
    'continues when 30 % of all calls fail at random, over %s with seed %i',
    async (protocol, seed) => {
      const faults: Fault[] = [
        { fault: 'server-error' },
        { fault: 'reset' },
        { fault: 'reset-in-stream' },
        { fault: 'malformed' },
        { fault: 'truncated' },
      ]
      await survives({ protocol, faults: [{ chance: 0.3, seed, faults }] })
      expect(world.server.requests.length).toBeLessThan(200)
    },
    120_000,
  )

  it('continues when no summary ever comes, and asks for few', async () => {
    const unknown = { protocol: 'responses', believedWindow: null } as const
    await survives({ summaries: 'fail', settings: UNMASKED, ...(full ? {} : unknown) })
    const compactions = world.events.filter((event) => event.type === 'compaction-ended')
    expect(compactions.length).toBeGreaterThanOrEqual(3)
    expect(compactions.map(({ result }) => summarised(result).rung)).toEqual(compactions.map(() => 'digest'))
    const asked = world.server.requests.filter(({ summarising }) => summarising)
    // The breaker opens after three failures in a row; each is tried five times at most.
    expect(asked.length).toBeLessThanOrEqual(20)
    if (full) expect(world.server.violations).toEqual([])
    else expectLearntWindow()
  }, 120_000)

  if (full)
    it('continues when the provider says at any step that the context is too large', async () => {
      await survives({ faults: [refusals(17, 46)] })
      expectOverflows()
    }, 120_000)

  it.each(full ? PROTOCOLS : [])(
    'learns the window if it is not known, from refusals over %s',
    async (protocol) => {
      await survives({ protocol, believedWindow: null })
      expectLearntWindow()
    },
    120_000,
  )

  if (full)
    it('is done right with summaries instead of masks', async () => {
      await survives({ settings: UNMASKED })
      expectSummaries()
    }, 120_000)
})

function expectOverflows(): void {
  const overflows = world.events.filter(
    (event) => event.type === 'compaction-ended' && event.result.reason === 'overflow',
  )
  expect(overflows.length).toBeGreaterThanOrEqual(3)
}

/** Over `responses` a refusal names no size. */
function expectLearntWindow(): void {
  expect(world.server.requests.filter(({ outcome }) => outcome === 'overflow').length).toBeLessThanOrEqual(2)
  expect(world.server.violations.every(({ problem }) => /window|too (?:long|large)|exceed/i.test(problem))).toBe(true)
  expect(world.agent.info.contextWindow).toBeLessThanOrEqual(16_000)
}

function expectSummaries(): void {
  const compactions = world.events.filter((event) => event.type === 'compaction-ended')
  expect(compactions.length).toBeGreaterThanOrEqual(3)
  expect(world.server.violations).toEqual([])
  expect(world.server.requests.some(({ request }) => request !== undefined && isSummarising(request))).toBe(true)
}

describe('a run that cannot continue', () => {
  it('ends in one clear line when the provider is gone, and nothing is lost', async () => {
    world = await agentWorld({ brain: () => ({ fault: 'server-error' }) })
    const end = await world.say('do it')
    expect(end).toMatchObject({ reason: 'failed', steps: 1 })
    expect(end.text).not.toBe('')
    expect(end.text).not.toContain('\n')
    expect(world.server.requests.length).toBeLessThanOrEqual(15)
    const { entries } = await world.store.entries(world.session)
    expect(entries.map((entry) => entry.type === 'message' && entry.message.content)).toEqual(['do it'])
  })

  it('ends in one clear line when the key is wrong, after one request', async () => {
    world = await agentWorld({ brain: () => ({ text: 'never' }), apiKey: 'another' })
    const end = await world.say('do it')
    expect(end.reason).toBe('failed')
    expect(end.text).not.toMatch(/test-key|\n/)
    expect(world.server.requests).toHaveLength(1)
  })

  it('ends when what cannot be compacted is larger than the window, and names the largest part', async () => {
    world = await agentWorld({ brain: () => ({ text: 'hi' }), window: 2_000 })
    const end = await world.say('hello')
    expect(end.reason).toBe('context-limit')
    expect(end.text).toContain('tool schemas')
    expect(end.text).not.toContain('\n')
  })
})
