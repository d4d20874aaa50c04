import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { messagesOf } from '../../../src/model/view.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const NEXT = '## Next Steps\nDelete the folder build, then push to main.'

let world: AgentWorld
afterEach(() => world.close())

describe('the next steps of a summary', () => {
  it('are not acted on when a user compacts between two turns', async () => {
    const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 2_500) }))
    world = await agentWorld({ window: 16_000, brain: scriptedBrain({ steps, summary: { text: NEXT } }) })
    for (const text of ['First.', 'Second.', 'Third.']) await world.say(text)
    const asked = world.server.requests.length
    const { signal } = new AbortController()
    const result = await compactNow(world.agent, { reason: 'manual', signal })
    expect(result).toMatchObject({ compacted: true, summary: expect.stringContaining('Delete the folder build') })
    // The summary was asked for; nothing was asked behind it, and nobody said anything.
    expect(world.server.requests).toHaveLength(asked + 1)
    expect(messagesOf(world.agent.live.view).at(-1)).toMatchObject({ role: 'assistant' })
    expect(world.events.filter(({ type }) => type === 'turn-started')).toHaveLength(3)
  })

  it('are reference, not a request, when a compaction cuts a turn and it goes on', async () => {
    const steps = [1, 2, 3, 4, 5, 6].map((n) => calling('bash', { command: `seq -s ' step-${n} ' 1 1000` }))
    const policy = { rungs: ['cold' as const] }
    world = await agentWorld({
      window: 16_000,
      brain: scriptedBrain({ steps, summary: { text: NEXT } }),
      settings: { policy },
    })
    expect(await world.say('Count, six times.')).toMatchObject({ reason: 'done', answer: 'Done.' })
    const last = saidTo(world.server.requests.at(-1)?.request)
    expect(last).toContain('Delete the folder build')
    expect(last).toContain('Count, six times.')
    const [before = '', after = ''] = last.split('Delete the folder build')
    expect(before).toMatch(/<record-\w+>/)
    expect(after).toMatch(/<\/record-\w+>/)
  })
})

it('whoever hears the agent is told how full the context is after a compaction', async () => {
  world = await agentWorld({
    brain: scriptedBrain({ steps: [{ text: longText('one', 6_000) }] }),
    settings: { policy: { rungs: ['digest', 'squeeze'] } },
  })
  for (const text of ['First.', 'Second.']) await world.say(text)
  const { signal } = new AbortController()
  expect(await compactNow(world.agent, { reason: 'manual', signal })).toMatchObject({ compacted: true })
  expect(world.events.slice(-2)).toMatchObject([
    { type: 'compaction-ended', automatic: false },
    { type: 'status', status: world.agent.status() },
  ])
})
