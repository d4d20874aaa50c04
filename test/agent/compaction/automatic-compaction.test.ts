import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { CompactionAnswer } from '../../../src/agent/agent.ts'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import type { PreviewResult } from '../../../src/engine/compact/preview.ts'
import type { PolicyPatch } from '../../../src/engine.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

/** A session of three turns with long answers, in a window that they nearly fill. */
async function nearlyFull(policy: PolicyPatch, options: Partial<AgentWorldOptions> = {}) {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 2_500) }))
  world = await agentWorld({
    window: 16_000,
    brain: scriptedBrain({ steps }),
    ...options,
    settings: { policy: { rungs: ['cold', 'digest', 'squeeze'], ...policy } },
  })
  for (const text of ['First.', 'Second.', 'Third.']) expect(await world.say(text)).toMatchObject({ reason: 'done' })
  const { percent = 0 } = world.agent.status()
  return percent
}

async function changes(): Promise<string[]> {
  const { entries } = await world.store.entries(world.session, { only: 'changes' })
  return entries.map(({ type }) => type)
}

const typed = longText('typed', 3_000)
/** With this the window is full. */
const tooMuch = longText('typed', 6_000)

describe('in mode off', () => {
  it('nothing is rewritten at the limit: the run stops and says what can be done', async () => {
    await nearlyFull({ mode: 'off' })
    const asked = world.server.requests.length
    const end = await world.say(tooMuch)
    expect(end.reason).toBe('context-limit')
    expect(end.text).toMatch(
      /^The context is full \([\d,]+ of 16,000 tokens\) and was left as it is: Automatic compaction is off\. What you can do: compact it with \/compact, choose a model with a larger window or switch it on with \/policy mode auto$/,
    )
    expect(world.server.requests).toHaveLength(asked)
    expect(await changes()).toEqual([])
  })

  it('a limit of the input counts if no window is known, and is the number that the user reads', async () => {
    const registry = registryOf([{ provider: 'local', model: 'pith-test', maxInput: 8_000 }])
    world = await agentWorld({
      brain: scriptedBrain({ steps: [] }),
      modelDeps: { registry },
      settings: { policy: { mode: 'off' } },
    })
    const end = await world.say(longText('typed', 10_000))
    expect(end).toMatchObject({ reason: 'context-limit' })
    expect(end.text).toMatch(/^The context is full \([\d,]+ of 8,000 tokens\)/)
    expect(world.server.requests).toEqual([])
  })

  it('nothing is rewritten when the provider says that it is too much', async () => {
    world = await agentWorld({ brain: () => ({ fault: 'overflow' }), settings: { policy: { mode: 'off' } } })
    const end = await world.say('Do it.')
    expect(end.reason).toBe('context-limit')
    expect(end.text).toMatch(/automatic compaction is off: compact it with \/compact, or choose a model with a larger/)
    expect(world.server.requests).toHaveLength(1)
    expect(await changes()).toEqual([])
  })
})

describe('in mode ask', () => {
  /** Answers the questions in turn; what was asked is kept. */
  function answering(...answers: readonly CompactionAnswer[]) {
    const asked: PreviewResult[] = []
    const askCompaction = async (preview: PreviewResult): Promise<CompactionAnswer> => {
      asked.push(preview)
      return answers[asked.length - 1] ?? { kind: 'later' }
    }
    return { asked, agent: { askCompaction } }
  }

  it('the user sees what would be done, and it is done when they say so', async () => {
    const { asked, agent } = answering({ kind: 'compact' })
    await nearlyFull({ mode: 'ask' }, { agent })
    expect(asked).toEqual([])
    expect(await world.say(typed)).toMatchObject({ reason: 'done' })
    expect(asked).toMatchObject([{ kind: 'compact', from: expect.any(Number), messages: expect.any(Number) }])
    expect(await changes()).toContain('compaction')
  })

  it('a focus reaches who writes the summary', async () => {
    const { agent } = answering({ kind: 'compact', focus: 'the colour of the door' })
    await nearlyFull({ mode: 'ask' }, { agent })
    await world.say(typed)
    const summarising = world.server.requests.filter((request) => request.summarising)
    expect(summarising.map(({ request }) => saidTo(request)).join()).toContain('the colour of the door')
  })

  it('put off, it asks again only when the context has grown', async () => {
    const { asked, agent } = answering({ kind: 'later' })
    await nearlyFull({ mode: 'ask', tokenLimit: 10_000 }, { agent, window: 100_000 })
    await world.say('Go on.')
    expect(asked).toHaveLength(1)
    await world.say('Go on.')
    expect(asked).toHaveLength(1)
    await world.say(longText('typed', 12_000))
    expect(asked).toHaveLength(2)
    expect(await changes()).toEqual([])
  })

  it('put off, it asks again at its usual time once the user has compacted the session', async () => {
    const { asked, agent } = answering({ kind: 'later' })
    await nearlyFull({ mode: 'ask', tokenLimit: 10_000, growthPercent: 90 }, { agent, window: 100_000 })
    await world.say('Go on.')
    expect(asked).toHaveLength(1)
    const { tokens } = world.agent.status()
    await compactNow(world.agent, { reason: 'manual', signal: new AbortController().signal })
    await world.say(longText('typed', tokens - world.agent.status().tokens))
    await world.say('Go on.')
    expect(asked).toHaveLength(2)
  })

  it('put off, it asks again when the window is full, however little the context has grown', async () => {
    const { asked, agent } = answering({ kind: 'later' }, { kind: 'later' })
    await nearlyFull({ mode: 'ask', growthPercent: 90 }, { agent })
    expect(await world.say(typed)).toMatchObject({ reason: 'done' })
    expect(asked).toHaveLength(1)
    const sent = world.server.requests.length
    const end = await world.say(longText('typed', 1_000))
    expect(end).toMatchObject({ reason: 'context-limit' })
    expect(end.text).toContain('was left as it is: the compaction was put off')
    expect(asked).toHaveLength(2)
    expect(world.server.requests).toHaveLength(sent)
  })

  it('interrupted at the question, the turn ends and nothing is rewritten', async () => {
    const stop = new AbortController()
    const askCompaction = () => {
      stop.abort()
      return new Promise<CompactionAnswer>(() => {})
    }
    await nearlyFull({ mode: 'ask' }, { agent: { askCompaction } })
    expect(await world.say(typed, stop.signal)).toMatchObject({ reason: 'aborted' })
    expect(await changes()).toEqual([])
  })

  it('turned off, it is off for the session, also after a restart', async () => {
    const { asked, agent } = answering({ kind: 'off' })
    await nearlyFull({ mode: 'ask' }, { agent })
    await world.say(typed)
    expect(world.events).toContainEqual({
      type: 'entry',
      entry: expect.objectContaining({ type: 'settings', policy: { mode: 'off' } }),
    })
    await world.reopen()
    const end = await world.say(tooMuch)
    expect(end.text).toContain('Automatic compaction is off')
    expect(asked).toHaveLength(1)
    expect(await changes()).toEqual(['settings'])
  })

  it('without a user to ask it does not compact, and stops at the limit', async () => {
    await nearlyFull({ mode: 'ask' })
    const end = await world.say(tooMuch)
    expect(end).toMatchObject({ reason: 'context-limit' })
    expect(end.text).toContain('automatic compaction asks first, and nobody can be asked')
    expect(await changes()).toEqual([])
  })

  it('asks also when the provider says that it is too much', async () => {
    const { asked, agent } = answering({ kind: 'compact' })
    await nearlyFull({ mode: 'ask' }, { agent, window: 16_000, believedWindow: 100_000 })
    expect(await world.say(tooMuch)).toMatchObject({ reason: 'done' })
    expect(asked).toHaveLength(1)
    expect(await changes()).toContain('compaction')
  })
})

describe('in mode auto', () => {
  it('the message just typed counts before it is sent', async () => {
    const percent = await nearlyFull({})
    expect(percent).toBeLessThan(80)
    expect(await world.say(typed)).toMatchObject({ reason: 'done' })
    expect(world.server.violations).toEqual([])
    const kinds = world.events.map(({ type }) => type)
    const compacted = kinds.lastIndexOf('compaction-ended')
    expect(kinds.slice(compacted)).toEqual(expect.arrayContaining(['step-started']))
    expect(kinds.indexOf('compaction-ended')).toBe(compacted)
    expect(saidTo(world.server.requests.at(-1)?.request)).toContain('typed, line 1:')
  })

  it('it is checked between tool steps, and the turn continues by itself', async () => {
    const steps = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => calling('bash', { command: `seq -f 'step-${n} %g' 1 500` }))
    world = await agentWorld({ window: 16_000, brain: scriptedBrain({ steps }) })
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done', answer: 'Done.', steps: 10 })
    expect(world.server.violations).toEqual([])
    const kinds = world.events.map(({ type }) => type)
    const at = kinds.indexOf('compaction-ended')
    expect(kinds.slice(0, at)).toContain('tool-finished')
    expect(kinds.slice(at)).toContain('tool-finished')
    expect(kinds.filter((kind) => kind === 'turn-started')).toHaveLength(1)
  })

  it('the status is sent after a reply and after a compaction', async () => {
    await nearlyFull({})
    await world.say(typed)
    const kinds = world.events.map(({ type }) => type)
    expect(kinds[kinds.indexOf('compaction-ended') + 1]).toBe('status')
    expect(kinds.slice(-2)).toEqual(['status', 'turn-ended'])
    const last = world.events.findLast((event) => event.type === 'status')
    expect(last?.status).toEqual(world.agent.status())
  })
})

it('if the instructions alone fill the window, the run stops and says to make them smaller', async () => {
  world = await agentWorld({ window: 6_000, brain: scriptedBrain({ steps: [] }) })
  writeFileSync(join(world.workspace, 'AGENTS.md'), longText('rule', 20_000))
  await world.reopen()
  const end = await world.say('Do it.')
  expect(end).toMatchObject({ reason: 'context-limit' })
  expect(end.text).toMatch(/What you can do: make that smaller or choose a model with a larger window$/)
  expect(world.server.requests).toEqual([])
})

it('what the model has not read yet does not count towards the time of a compaction', async () => {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  await world.say('First.')
  const unread = () => world.agent.status().tokens - world.agent.readTokens()
  expect(unread()).toBe(0)
  await world.agent.live.append([{ type: 'message', message: { role: 'user', content: longText('typed', 3_000) } }])
  expect(unread()).toBeGreaterThan(2_000)
})
