import { afterEach, expect, it } from 'vitest'
import { shortSchemas, toolSchemas } from '../../src/agent/agent.ts'
import { TOOLS } from '../../src/agent/tools/index.ts'
import { fixedTokens } from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import { type AgentWorld, agentWorld } from '../support/agent-world.ts'
import { scriptedBrain } from '../support/scripted-brain.ts'

let world: AgentWorld | undefined
afterEach(() => world?.close())

it('in few words the tools keep their names, their arguments and what they are for, in a third less', () => {
  const whole = toolSchemas(TOOLS)
  const short = shortSchemas(whole)
  expect(short.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual(
    whole.map(({ name, inputSchema }) => ({ name, inputSchema })),
  )
  for (const { description } of short) expect(description).toMatch(/^[A-Z].*\.$/)
  const { tools } = fixedTokens({ tools: whole }, featureEstimator)
  expect(fixedTokens({ tools: short }, featureEstimator).tools).toBeLessThan(tools * 0.7)
})

it.each([
  [8_000, true],
  [16_000, false],
  [null, false],
])('in a window of %s tokens tools are described in few words: %s', async (believedWindow, isShort) => {
  world = await agentWorld({ protocol: 'chat', believedWindow, brain: scriptedBrain({ steps: [{ text: 'Hello.' }] }) })
  await world.say('Hi')
  const sent = JSON.stringify(world.server.requests[0]?.body)
  expect(sent.includes('Each call is a shell of its own')).toBe(!isShort)
  expect(sent).toContain('Runs a command line with bash')
})
