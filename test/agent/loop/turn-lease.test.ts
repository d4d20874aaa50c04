import { afterEach, describe, expect, it } from 'vitest'
import { takeTurn } from '../../../src/agent/loop/run-turn.ts'
import { holderOf } from '../../../src/session/compaction/hold-lease.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const notices = () => world.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))

async function heldBy(holder: string): Promise<string> {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  const lease = await world.store.acquireLease(world.session, holder, 60_000)
  if (!lease.ok) throw new Error('nobody holds it yet')
  return lease.token
}

describe('a turn in a session that another process is working in', () => {
  it('waits, says so once, and begins when that one is done', async () => {
    const token = await heldBy('the other')
    const taking = takeTurn(world.agent, new AbortController().signal)
    await expect.poll(notices).toEqual(['Waiting: the other is working in this session'])
    await world.store.releaseLease(world.session, token)
    const lease = await taking
    expect(await world.store.acquireLease(world.session, 'a third', 1_000)).toMatchObject({ ok: false })
    await lease?.release()
    expect(await world.store.acquireLease(world.session, 'a third', 1_000)).toMatchObject({ ok: true })
    expect(notices()).toHaveLength(1)
  })

  it('does not begin when the user no longer waits for it', async () => {
    await heldBy('the other')
    const stop = new AbortController()
    const taking = takeTurn(world.agent, stop.signal)
    await expect.poll(notices).toHaveLength(1)
    stop.abort()
    expect(await taking).toBeUndefined()
    expect(await takeTurn(world.agent, stop.signal)).toBeUndefined()
    expect(notices()).toHaveLength(1)
  })

  it('begins at once if that process has died', async () => {
    // No system has that many processes.
    await heldBy(holderOf(2 ** 22 + 1))
    const lease = await takeTurn(world.agent, new AbortController().signal)
    expect(notices()).toEqual([])
    await lease?.release()
    expect(await world.store.acquireLease(world.session, 'a third', 1_000)).toMatchObject({ ok: true })
  })
})
