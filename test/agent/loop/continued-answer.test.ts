import { afterEach, describe, expect, it } from 'vitest'
import { storedTexts } from '../../support/agent-checks.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import type { Answer } from '../../support/model-server/index.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const cut = (text: string): Answer => ({ reasoning: 'Hm.', text, finish: 'length' })

describe.each(['anthropic', 'responses', 'chat', 'google'] as const)('a text that was cut, over %s', (protocol) => {
  it('is continued, and is one message in the log', async () => {
    const steps = [cut('One, two, '), cut('three, '), { text: 'four.' }]
    world = await agentWorld({ protocol, brain: scriptedBrain({ steps }) })
    expect(await world.say('Count.')).toMatchObject({
      reason: 'done',
      text: '',
      answer: 'One, two, three, four.',
      steps: 1,
    })
    expect(saidTo(world.server.requests[2]?.request)).toMatch(/One, two, three, [\s\S]*Go on exactly where it stopped/)
    expect(await storedTexts(world)).toHaveLength(2)
    await world.say('And back.')
    expect(saidTo(world.server.requests.at(-1)?.request)).not.toContain('Go on exactly')
    expect(world.server.violations).toEqual([])
    const shown = world.events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
    expect(shown).toContain('One, two, three, four.')
  })

  it('may continue with a call', async () => {
    const steps = [cut('I look: '), { text: 'now.', ...calling('ls', {}) }, { text: 'Seen.' }]
    world = await agentWorld({ protocol, brain: scriptedBrain({ steps }) })
    expect(await world.say('Look.')).toMatchObject({ reason: 'done', answer: 'Seen.', steps: 2 })
    expect(saidTo(world.server.requests.at(-1)?.request)).toContain('I look: now.')
    expect(world.server.violations).toEqual([])
  })
})

it('a text that was cut may continue with a call alone', async () => {
  const steps = [cut('I look.'), calling('ls', {}), { text: 'Seen.' }]
  world = await agentWorld({ brain: scriptedBrain({ steps }) })
  expect(await world.say('Look.')).toMatchObject({ reason: 'done', answer: 'Seen.', steps: 2 })
})

it('a continuation that broke off keeps the part that came, and is continued itself', async () => {
  const steps = [cut('One, '), { text: 'two, three, four, five, six, seven, eight, nine, ten' }, { text: ' and done.' }]
  world = await agentWorld({
    brain: scriptedBrain({ steps }),
    faults: [{ at: 2, fault: { fault: 'reset-in-stream' } }],
  })
  const end = await world.say('Count.')
  const shown = world.events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
  expect(shown).toMatch(/^One, two.* and done\.$/)
  expect(end.answer).toBe(shown)
})

it('a text that was cut stays as it is when there is no continuation', async () => {
  world = await agentWorld({ brain: scriptedBrain({ steps: [cut('Half of it'), { text: '' }] }) })
  expect(await world.say('Tell.')).toMatchObject({
    reason: 'done',
    answer: 'Half of it',
    text: expect.stringMatching(/cut at the output limit/),
  })
})
