import { expect, it, onTestFinished } from 'vitest'
import { compactNow } from '../../src/agent/compaction/compact-now.ts'
import { pinMessage } from '../../src/agent/pin-message.ts'
import { agentWorld } from '../support/agent-world.ts'
import { call, result, turns, user } from '../support/messages.ts'

it('a pin puts a compacted message back, and only keeps one that is in the view', async () => {
  const world = await agentWorld({ brain: () => ({ text: 'A summary of what was said.' }), window: 16_000 })
  onTestFinished(() => world.close())
  const { agent, store, session } = world
  const messages = turns(12, 400).map((message) => ({ type: 'message', message }) as const)
  await store.append(session, messages)
  await agent.live.refresh()
  await compactNow(agent, { reason: 'manual', signal: new AbortController().signal })
  const inView = () => agent.live.view.items.slice().some(({ seq }) => seq === 1)
  expect(inView()).toBe(false)
  const before = agent.status().tokens
  expect(await pinMessage(store, agent, 1)).toMatchObject({ ok: true, entry: { target: 1, back: [1] } })
  await agent.live.refresh()
  expect(inView()).toBe(true)
  expect(agent.status().tokens).toBeGreaterThan(before)
  const again = await pinMessage(store, agent, 1)
  expect(again.ok && again.entry).not.toHaveProperty('back')
})

it('a pin of a long result that was always shown shortened only keeps it', async () => {
  const world = await agentWorld({ brain: () => ({ text: 'Done.' }) })
  onTestFinished(() => world.close())
  const { agent, store, session } = world
  await store.append(session, [
    { type: 'message', message: user('Read it.') },
    { type: 'message', message: call('c1') },
    { type: 'message', message: result('c1', 'line\n'.repeat(9_000)), shown: { head: 400, tail: 200 } },
  ])
  await agent.live.refresh()
  const pinned = await pinMessage(store, agent, 3)
  expect(pinned).toMatchObject({ ok: true, entry: { type: 'pin', target: 3, on: true } })
  expect(pinned.ok && pinned.entry).not.toHaveProperty('back')
})
