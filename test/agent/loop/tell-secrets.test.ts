import { expect, it, onTestFinished } from 'vitest'
import { agentWorld } from '../../support/agent-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

it('the user is notified once in a session that a message has a secret', async () => {
  const world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  onTestFinished(() => world.close())
  const notices = () => world.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
  await world.say('Nothing to see in averylongwordwithoutasecret.')
  expect(notices()).toEqual([])
  const key = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`
  await world.say(`Use ${key}`)
  expect(notices()).toEqual([expect.stringContaining('#3')])
  await world.say(`Use ${key} again`)
  expect(notices()).toHaveLength(1)
})
