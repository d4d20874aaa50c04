import { afterEach, describe, expect, it } from 'vitest'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import type { Answer } from '../../support/model-server/index.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const cut: Answer = {
  calls: [{ name: 'write', input: '{"path": "long.txt", "content": "line 1\\nli' }],
  finish: 'length',
}

describe.each(['anthropic', 'responses', 'chat'] as const)('an answer cut inside a call, over %s', (protocol) => {
  it('is reported to the model as what it is, with the way out, and nothing is run', async () => {
    const steps = [cut, calling('write', { path: 'short.txt', content: 'line 1' })]
    world = await agentWorld({ protocol, brain: scriptedBrain({ steps }) })
    expect(await world.say('Write it.')).toMatchObject({ reason: 'done', steps: 3 })
    const notice = saidTo(world.server.requests[1]?.request)
    expect(notice).toMatch(/cut at the output limit \(\d+ tokens\) before the arguments of write were whole/)
    expect(notice).toMatch(/in several parts/)
    expect(notice).not.toMatch(/expected object/i)
    expect(world.server.violations).toEqual([])
  })

  it('three times in a row ends the turn in one line', async () => {
    world = await agentWorld({ protocol, brain: () => cut })
    const end = await world.say('Write it.')
    expect(end).toMatchObject({ reason: 'failed', steps: 3 })
    expect(end.text).toMatch(/^Stopped: 3 answers in a row were cut at the output limit .*write/)
    expect(world.server.violations).toEqual([])
    // The log is whole: the session continues.
    expect((await world.say('Then leave it.')).text).toMatch(/^Stopped/)
    expect(world.server.violations).toEqual([])
  })

  it('now and then does not end it', async () => {
    const ls = calling('ls', {})
    world = await agentWorld({ protocol, brain: scriptedBrain({ steps: [cut, cut, ls, cut, cut, ls] }) })
    expect(await world.say('Write it.')).toMatchObject({ reason: 'done', steps: 7 })
  })
})

it('the whole calls of an answer that is cut in a later one are run', async () => {
  const whole = { name: 'bash', input: { command: 'echo ran-it' } }
  const steps: Answer[] = [{ calls: [whole, ...(cut.calls ?? [])], finish: 'length' }]
  world = await agentWorld({ brain: scriptedBrain({ steps }) })
  await world.say('Do it.')
  expect(saidTo(world.server.requests[1]?.request)).toMatch(/ran-it[\s\S]*cut at the output limit/)
})
