import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/agent/agent.ts'
import { groupIsAlive } from '../../../src/agent/processes/process-table.ts'
import { sleep } from '../../../src/llm/call/stream.ts'
import { goesOn, storedTexts } from '../../support/agent-checks.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { PROTOCOLS } from '../../support/model-server/index.ts'
import { calling, longText, type Script, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

/** A turn that is interrupted at the first event of a kind. */
async function interruptedAt(
  when: (event: AgentEvent) => boolean,
  script: Script,
  options: Partial<AgentWorldOptions> = {},
) {
  const stop = new AbortController()
  const onEvent = (event: AgentEvent) => {
    world.events.push(event)
    if (when(event)) stop.abort()
  }
  world = await agentWorld({ ...options, brain: scriptedBrain(script), agent: { ...options.agent, onEvent } })
  const end = await world.say('Do it.', stop.signal)
  expect(end).toMatchObject({ reason: 'aborted', text: 'Interrupted' })
  return stop
}

const NOT_RUN = expect.stringContaining('this call was not run')

describe('a turn that the user interrupts', () => {
  it.each(PROTOCOLS)('keeps what was said until then, over %s', async (protocol) => {
    const text = longText('said', 200)
    const faults = [{ at: 1, fault: { fault: 'slow', pauseMs: 10 } }] as const
    await interruptedAt((event) => event.type === 'text', { steps: [{ text }] }, { protocol, faults })
    const [, said = ''] = await storedTexts(world)
    expect(said.length).toBeGreaterThan(2)
    expect(said.length).toBeLessThan(text.length)
    expect(JSON.stringify(text)).toContain(said.slice(0, -1))
    await goesOn(world)
  })

  it.each(PROTOCOLS)('before the first word leaves what the user said, over %s', async (protocol) => {
    const stop = new AbortController()
    const brain = scriptedBrain({
      steps: [
        () => {
          stop.abort()
          return { fault: 'silence' }
        },
      ],
    })
    world = await agentWorld({ protocol, brain })
    expect(await world.say('Do it.', stop.signal)).toMatchObject({ reason: 'aborted' })
    expect(await storedTexts(world)).toEqual(['"Do it."'])
    await goesOn(world)
  })

  it('while a command runs kills it with all that it started; the calls after it are not run', async () => {
    const command = 'echo $$ > group.txt; sleep 60 & echo begun; wait'
    const calls = [
      { name: 'bash', input: { command } },
      { name: 'write', input: { path: 'later.txt', content: 'x' } },
      { name: 'todo', input: { todos: [{ text: 'later', status: 'pending' }] } },
    ]
    await interruptedAt((event) => event.type === 'tool-output' && event.text.includes('begun'), { steps: [{ calls }] })
    const group = Number(readFileSync(join(world.workspace, 'group.txt'), 'utf8'))
    expect(group).toBeGreaterThan(1)
    expect(groupIsAlive(group)).toBe(false)
    const [, , first, ...others] = await storedTexts(world)
    expect(first).toContain('begun')
    expect(first).toContain('aborted by the user')
    expect(others).toEqual([NOT_RUN, NOT_RUN])
    const { entries } = await world.store.entries(world.session)
    expect(entries.filter(({ type }) => type === 'todo')).toEqual([])
    expect(existsSync(join(world.workspace, 'later.txt'))).toBe(false)
    await goesOn(world)
  })

  it('during a compaction does not change the view', async () => {
    const stop = new AbortController()
    const asked = () => {
      stop.abort()
      return { fault: 'silence' } as const
    }
    world = await agentWorld({
      brain: scriptedBrain({
        steps: [{ text: longText('one', 3_000) }, { text: longText('two', 3_000) }],
        summary: asked,
      }),
      settings: { policy: { tokenLimit: 9_000, rungs: ['cold', 'digest', 'squeeze'] } },
    })
    await world.say('First.')
    await world.say('Second.')
    const before = await storedTexts(world)
    expect(await world.say('Third.', stop.signal)).toMatchObject({ reason: 'aborted' })
    expect(await storedTexts(world)).toEqual([...before, '"Third."'])
    const { entries } = await world.store.entries(world.session, { only: 'changes' })
    expect(entries.map((entry) => (entry.type === 'attempt' ? entry.outcome : entry.type))).toEqual(['cancelled'])
    await world.agent.live.append([{ type: 'settings', policy: { rungs: ['digest', 'squeeze'] } }])
    await goesOn(world)
  })

  it('during the pause before a retry does not wait for its end', async () => {
    await interruptedAt(
      (event) => event.type === 'retry',
      { steps: [{ fault: 'rate-limit', retryAfterSeconds: 20 }] },
      { modelDeps: { sleep } },
    )
    expect(world.server.requests).toHaveLength(1)
    await goesOn(world)
  })

  it('during a question of permission does not wait for an answer, and does nothing', async () => {
    const stop = new AbortController()
    const ask = () => {
      stop.abort()
      return new Promise<never>(() => {})
    }
    world = await agentWorld({
      brain: scriptedBrain({ steps: [calling('bash', { command: 'touch done.txt' })] }),
      settings: { permissions: 'ask' },
      agent: { ask },
    })
    expect(await world.say('Do it.', stop.signal)).toMatchObject({ reason: 'aborted' })
    expect((await storedTexts(world)).at(-1)).toContain('this call was not run')
    expect(existsSync(join(world.workspace, 'done.txt'))).toBe(false)
    await goesOn(world)
  })
})
