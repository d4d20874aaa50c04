import { afterEach, describe, expect, it } from 'vitest'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import type { Brain, Fault } from '../../support/model-server/index.ts'

let world: AgentWorld
afterEach(() => world.close())

/** A server whose first model fails and whose small one works. */
const downUnless =
  (model: string, fault: Fault): Brain =>
  (request) =>
    request.model === model ? { text: `I am ${model}.` } : fault

describe('a fallback model', () => {
  it.each<Fault>([{ fault: 'server-error' }, { fault: 'reset-in-stream' }, { fault: 'overloaded' }])(
    'answers when the first one ends in $fault, and that is said',
    async (fault) => {
      world = await agentWorld({ brain: downUnless('small', fault), settings: { fallbackModel: 'local/small' } })
      expect(await world.say('Who are you?')).toMatchObject({ reason: 'done', answer: 'I am small.' })
      const notices = world.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
      expect(notices).toEqual([expect.stringMatching(/From now on local\/small answers instead of local\/pith-test$/)])
      // The first one had all its attempts before, and is not asked again.
      expect(world.server.requests.map(({ request }) => request?.model)).toEqual([
        ...Array(8).fill('pith-test'),
        'small',
      ])
      await world.say('And now?')
      expect(world.server.requests).toHaveLength(10)
    },
  )

  it('does not answer what the first one would not be asked again either', async () => {
    world = await agentWorld({
      brain: () => ({ text: '', finish: 'content-filter' }),
      settings: { fallbackModel: 'local/small' },
    })
    expect(await world.say('Tell me.')).toMatchObject({ reason: 'refused' })
    expect(world.server.requests).toHaveLength(1)
  })

  it('that is down as well is not asked forever', async () => {
    world = await agentWorld({
      brain: () => ({ fault: 'server-error' }),
      settings: { fallbackModel: 'local/small' },
    })
    expect(await world.say('Tell me.')).toMatchObject({ reason: 'failed' })
    expect(world.server.requests).toHaveLength(16)
  })
})
