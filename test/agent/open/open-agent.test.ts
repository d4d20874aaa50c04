import { afterEach, expect, it } from 'vitest'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

it('commands of the agent do not get the keys of providers, known ones or those of the configuration', async () => {
  const env = { PATH: process.env.PATH, PLAIN: 'stays', OPENAI_API_KEY: 'known', OF_MY_MODEL: 'configured' }
  world = await agentWorld({
    brain: scriptedBrain({ steps: [] }),
    modelDeps: { env },
    settings: { providers: { mine: { kind: 'openai', apiKeyEnv: 'OF_MY_MODEL' } } },
  })
  expect(world.agent.deps.env).toMatchObject({ PATH: process.env.PATH, PLAIN: 'stays' })
  expect(Object.values(world.agent.deps.env)).not.toContain('known')
  expect(Object.values(world.agent.deps.env)).not.toContain('configured')
})
