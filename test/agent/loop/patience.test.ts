import { afterEach, describe, expect, it } from 'vitest'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import type { Fault } from '../../support/model-server/index.ts'

let world: AgentWorld
afterEach(() => world.close())

/** A world that notes the pauses instead of making them. */
async function failing(fault: Fault, protocol: 'anthropic' | 'responses' | 'chat' | 'google' = 'anthropic') {
  const paused: number[] = []
  const sleep = async (ms: number) => void paused.push(ms)
  world = await agentWorld({ protocol, brain: () => fault, modelDeps: { sleep, random: () => 1 } })
  const end = await world.say('Do it.')
  return { end, paused }
}

const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]

describe.each(['anthropic', 'responses', 'chat', 'google'] as const)('one patience over %s', (protocol) => {
  it.each<Fault>([{ fault: 'overloaded' }, { fault: 'error-in-stream' }, { fault: 'reset-in-stream' }])(
    'waits the same for $fault, before and inside the stream, and says for what',
    async (fault) => {
      const { end, paused } = await failing(fault, protocol)
      expect(end.reason).toBe('failed')
      expect(paused).toEqual(PAUSES)
      const retries = world.events.flatMap((event) => (event.type === 'retry' ? [event] : []))
      expect(retries.map(({ inMs, attempt }) => [attempt, inMs])).toEqual(PAUSES.map((ms, n) => [n + 2, ms]))
      expect(retries.every(({ failure }) => failure.text !== '')).toBe(true)
    },
  )
})

it('Esc ends the wait for a stream that broke', async () => {
  const controller = new AbortController()
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve())
      controller.abort()
    })
  world = await agentWorld({ brain: () => ({ fault: 'reset-in-stream' }), modelDeps: { sleep } })
  expect(await world.say('Do it.', controller.signal)).toMatchObject({ reason: 'aborted' })
  expect(world.server.requests).toHaveLength(1)
})
