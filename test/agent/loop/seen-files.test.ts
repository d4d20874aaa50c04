import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const edit = (oldText: string, newText: string) => calling('edit', { path: 'a.txt', edits: [{ oldText, newText }] })
const REST = longText('rest', 2_000)
const file = () => join(world.workspace, 'a.txt')

describe('a file that was read before everything was compacted', () => {
  async function readAndCompacted() {
    const steps = [calling('read', { path: 'a.txt' }), { text: 'Read.' }, edit('red', 'blue')]
    world = await agentWorld({
      brain: scriptedBrain({ steps }),
      settings: { policy: { keepTokens: 0, rungs: ['cold', 'digest'] } },
    })
    writeFileSync(file(), `The door is red.\n${REST}`)
    await world.say('Read it.')
    const signal = new AbortController().signal
    expect(await compactNow(world.agent, { reason: 'manual', signal })).toMatchObject({ outcome: 'compacted' })
    await world.reopen()
    const [first, ...others] = world.agent.live.view.items.slice()
    expect(first?.kind).toBe('summary')
    expect(others.some(({ message }) => message.role === 'tool')).toBe(false)
  }

  it('is edited without being read again, also after a restart', async () => {
    await readAndCompacted()
    await world.say('Edit it.')
    expect(readFileSync(file(), 'utf8')).toBe(`The door is blue.\n${REST}`)
  })

  it('is not edited when it has changed on disk since', async () => {
    await readAndCompacted()
    writeFileSync(file(), 'The door is red and open.\n')
    await world.say('Edit it.')
    expect(readFileSync(file(), 'utf8')).toBe('The door is red and open.\n')
    expect(saidTo(world.server.requests.at(-1)?.request)).toMatch(/changed since/)
  })
})
