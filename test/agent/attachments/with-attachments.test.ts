import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { withAttachments } from '../../../src/agent/attachments/with-attachments.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

it('a message that is sent while the agent works brings its files too', async () => {
  const first = () => {
    world.agent.steering.push('look at @a.txt')
    return calling('bash', { command: 'true' })
  }
  world = await agentWorld({ brain: scriptedBrain({ steps: [first] }) })
  writeFileSync(join(world.workspace, 'a.txt'), 'the steered file\n')
  await world.say('Begin.')
  expect(saidTo(world.server.requests.at(-1)?.request)).toContain('the steered file')
})

it('a file that a never rule forbids is not attached, one that is not there stays a name', async () => {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  writeFileSync(join(world.workspace, '.env'), 'KEY=1\n')
  const { workspace } = world
  const { info } = world.agent
  expect(
    await withAttachments('use @.env and @nothing.txt', { workspace, info, mayRead: (path) => path !== '.env' }),
  ).toEqual({
    message: { role: 'user', content: 'use @.env and @nothing.txt' },
    files: [],
    notes: ['.env is not attached: a never rule keeps it from being read'],
  })
})
