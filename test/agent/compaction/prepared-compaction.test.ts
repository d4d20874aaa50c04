import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/agent/agent.ts'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { switchModel } from '../../../src/agent/compaction/switch-model.ts'
import { runTurn, userMessage } from '../../../src/agent/loop/run-turn.ts'
import type { PolicyPatch } from '../../../src/engine.ts'
import { undo } from '../../../src/session/user-changes.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { printing, type Script, SUMMARY, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const never = new AbortController().signal
const POLICY: PolicyPatch = { tokenLimit: 20_000, preparePercent: 80, rungs: ['cold', 'digest', 'squeeze'] }

/** An agent that takes that many steps of about 3,000 tokens each, and prepares from 16,000 tokens on. */
async function steps(count: number, script: Partial<Script> = {}, options: Partial<AgentWorldOptions> = {}) {
  const work = Array.from({ length: count }, (_, n) => printing(`step ${n}`, 270))
  world = await agentWorld({
    brain: scriptedBrain({ steps: work, ...script }),
    settings: { policy: POLICY },
    ...options,
  })
}

const asked = () => world.server.requests.filter(({ summarising }) => summarising).length
const ended = () => world.events.filter((event) => event.type === 'compaction-ended')
async function attempts() {
  const { entries } = await world.store.entries(world.session, { only: 'changes' })
  return entries.flatMap((entry) => (entry.type === 'attempt' ? [entry] : []))
}

describe('a compaction that is prepared in the background', () => {
  it('is put in place at once when its time has come', async () => {
    const askedAt: number[] = []
    const onEvent = (event: AgentEvent) => {
      world.events.push(event)
      if (event.type === 'compaction' || event.type === 'compaction-ended') askedAt.push(asked())
    }
    await steps(8, {}, { agent: { onEvent } })
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done', steps: 9 })
    expect(ended()).toMatchObject([
      { automatic: true, result: { outcome: 'compacted', rung: 'cold', summary: SUMMARY } },
    ])
    // Nothing is asked between its beginning and its end, and the user sees both.
    expect(askedAt).toEqual([1, 1])
    expect(asked()).toBe(1)
    expect(await attempts()).toEqual([])
    expect(world.server.violations).toEqual([])
    expect(world.agent.status().tokens).toBeLessThan(20_000)
  })

  it('is made so small that it still fits with what is said until its time has come', async () => {
    // A mask takes away no more than it has to.
    const policy: PolicyPatch = { ...POLICY, rungs: ['mask', 'digest', 'squeeze'] }
    await steps(8, {}, { settings: { policy } })
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done' })
    expect(ended()).toMatchObject([{ result: { outcome: 'compacted', rung: 'mask' } }])
    // No message goes.
    expect(world.events).toContainEqual({
      type: 'compaction',
      automatic: true,
      event: { type: 'start', reason: 'threshold', tokens: expect.any(Number), messages: 0 },
    })
    expect(await attempts()).toEqual([])
    const after = world.events.slice(world.events.findIndex(({ type }) => type === 'compaction-ended'))
    const status = after.find((event) => event.type === 'status')
    expect(status?.status.tokens).toBeLessThanOrEqual(world.agent.budget().target ?? 0)
  })

  it('keeps others out of the session while it is waited for', async () => {
    const { promise, resolve } = Promise.withResolvers<{ readonly text: string }>()
    await steps(6, { summary: () => promise })
    await world.say('Do it.')
    expect(world.agent.prepared === undefined).toBe(false)
    const taken = compactNow(world.agent, { reason: 'threshold', signal: never })
    await expect.poll(() => world.agent.prepared === undefined).toBe(true)
    const holders = new Set<string | undefined>()
    for (let look = 0; look < 20; look++) holders.add((await world.store.lease(world.session))?.holder)
    expect([...holders]).toEqual([world.agent.deps.holder])
    resolve({ text: SUMMARY })
    expect(await taken).toMatchObject({ outcome: 'compacted', summary: SUMMARY })
    expect(asked()).toBe(1)
    expect(await world.store.lease(world.session)).toBeUndefined()
  })

  it('is not prepared if the policy does not say so, nor before its time', async () => {
    await steps(1)
    await world.say('Do it.')
    expect(world.agent.prepared === undefined).toBe(true)
    expect(asked()).toBe(0)
  })

  it('is cancelled when the user interrupts, and counted', async () => {
    const stop = new AbortController()
    const summary = () => {
      stop.abort()
      return { fault: 'silence' } as const
    }
    await steps(8, { summary })
    expect(await world.say('Do it.', stop.signal)).toMatchObject({ reason: 'aborted' })
    expect(world.agent.prepared === undefined).toBe(true)
    expect(await attempts()).toMatchObject([
      { outcome: 'skipped', reason: 'A prepared summary was not used: the run was interrupted by the user' },
    ])
  })

  it('is dropped when the model is changed, and its price stays in the log', async () => {
    await steps(6, {}, { settings: { policy: { ...POLICY, tokenLimit: 21_000 } } })
    await world.say('Do it.')
    await world.agent.prepared?.result
    await switchModel(world.agent, world.openModel('local/pith-test'), never)
    expect(await attempts()).toMatchObject([
      { reason: 'A prepared summary was not used: the model was changed', cost: expect.any(Number) },
    ])
    expect(world.events).toContainEqual({
      type: 'notice',
      text: 'A prepared summary was not used: the model was changed',
    })
  })

  it('is dropped when the user compacts before its time', async () => {
    await steps(6)
    await world.say('Do it.')
    await world.agent.prepared?.result
    expect(await compactNow(world.agent, { reason: 'manual', signal: never })).toMatchObject({ outcome: 'compacted' })
    expect(asked()).toBe(2)
    expect(world.agent.prepared === undefined).toBe(true)
    expect(await attempts()).toMatchObject([
      { reason: 'A prepared summary was not used: another compaction came first' },
    ])
  })

  it('is not put in place when the view has changed since', async () => {
    await steps(6)
    await world.say('Do it.')
    const first = world.agent
    await first.prepared?.result
    // Another process compacts, and takes it back: what is said is the same, the view is not the one it was made for.
    const other = await world.reopen()
    await compactNow(other, { reason: 'manual', signal: never })
    await undo(world.store, world.session)
    const { prepared } = first
    expect(prepared === undefined).toBe(false)
    await runTurn(first, userMessage('Go on.'), never)
    expect(first.prepared === prepared).toBe(false)
    expect((await attempts()).map(({ reason }) => reason)).toContain(
      'A prepared summary was not used: the view has changed meanwhile',
    )
    expect(world.server.violations).toEqual([])
  })

  it('that no model could make counts as one failure, and the session is compacted anyway', async () => {
    await steps(8, {}, { summaries: 'fail' })
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done' })
    expect(ended()[0]).toMatchObject({ result: { outcome: 'compacted', rung: 'digest' } })
    expect(asked()).toBeLessThanOrEqual(12)
  })
})
