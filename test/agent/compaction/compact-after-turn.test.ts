import { afterEach, describe, expect, it } from 'vitest'
import { compactAfterTurn } from '../../../src/agent/compaction/automatic-compaction.ts'
import type { PolicyPatch } from '../../../src/engine.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { longText, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

/** Two turns with this many tokens of the user, in a window of 60,000, and what follows them. */
async function afterTurn(tokens: number, policy: PolicyPatch = {}, signal = new AbortController().signal) {
  world = await agentWorld({
    brain: scriptedBrain({ steps: [] }),
    window: 60_000,
    settings: {
      policy: {
        rungs: ['cold', 'digest', 'squeeze'],
        keepTokens: 1_000,
        targetPercent: 30,
        targetMaxTokens: 18_000,
        ...policy,
      },
    },
  })
  for (const mark of ['one', 'two'])
    expect(await world.say(longText(mark, tokens / 2))).toMatchObject({ reason: 'done' })
  await compactAfterTurn(world.agent, signal)
  const { entries } = await world.store.entries(world.session, { only: 'changes' })
  const notices = world.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
  return { changes: entries.map(({ type }) => type), notices }
}

describe('when a turn has ended over the share of the trigger at which ends of work count', () => {
  it('the session is compacted before the user says anything more, and a line says why', async () => {
    const { changes, notices } = await afterTurn(28_000)
    expect(changes).toEqual(['compaction'])
    expect(notices).toEqual(['Compacting at an end of work: the turn ended'])
    const { length } = world.server.requests
    expect(await world.say('Third.')).toMatchObject({ reason: 'done' })
    // The next request has nothing to wait for.
    expect(world.server.requests).toHaveLength(length + 1)
  })

  it('nothing happens below that, with a trigger that the user set, in mode ask, or if it is cancelled', async () => {
    expect(await afterTurn(16_000)).toEqual({ changes: [], notices: [] })
    await world.close()
    expect(await afterTurn(28_000, { triggerPercent: 80 })).toEqual({ changes: [], notices: [] })
    await world.close()
    expect(await afterTurn(28_000, { mode: 'ask' })).toEqual({ changes: [], notices: [] })
    await world.close()
    expect((await afterTurn(28_000, {}, AbortSignal.abort())).changes).toEqual(['attempt'])
  })

  it('one that the user cancelled does not start again with the next message', async () => {
    await afterTurn(28_000, {}, AbortSignal.abort())
    const { length } = world.server.requests
    expect(await world.say('Third.')).toMatchObject({ reason: 'done' })
    expect(world.server.requests.slice(length)).toMatchObject([{ summarising: false }])
  })
})
