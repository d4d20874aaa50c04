import { expect, it, onTestFinished } from 'vitest'
import { compactNow } from '../../src/agent/compaction/compact-now.ts'
import { pinMessage } from '../../src/agent/pin-message.ts'
import { agentWorld } from '../support/agent-world.ts'
import { turns } from '../support/messages.ts'

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
