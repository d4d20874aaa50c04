import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { PROTOCOLS } from '../../support/model-server/index.ts'
import { conversationIn, frontOf } from '../../support/request-bodies.ts'
import { calling, longText, printing, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const put = (name: string, text: string) => writeFileSync(join(world.workspace, name), text)
const sent = (index: number) => {
  const record = world.server.requests.at(index)
  if (record === undefined) throw new Error(`there is no request ${index}`)
  return record
}
const never = new AbortController().signal

describe('the files of instructions and facts', () => {
  it('are in front of every request, the user’s own before the project’s', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [calling('ls', {})] }) })
    put('AGENTS.md', 'Use tabs.')
    put('CLAUDE.md', 'Said to another agent.')
    put('MEMORY.md', 'The port is 8443.')
    writeFileSync(join(world.folder, 'data', 'AGENTS.md'), 'Be brief.')
    await world.reopen()
    await world.say('Do it.')
    for (const { request } of world.server.requests) {
      expect(request?.system).toMatch(/Be brief\..*Use tabs\..*The port is 8443\./s)
      expect(request?.system).not.toContain('another agent')
    }
    expect(world.server.requests).toHaveLength(2)
  })

  it('are read from CLAUDE.md if there is no AGENTS.md, and are not read when the user does not want it', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
    put('CLAUDE.md', 'Use tabs.')
    await world.reopen()
    await world.say('Do it.')
    expect(sent(0).request?.system).toContain('Use tabs.')
    await world.close()
    world = await agentWorld({ brain: scriptedBrain({ steps: [] }), settings: { instructions: false } })
    put('AGENTS.md', 'Use tabs.')
    await world.reopen()
    await world.say('Do it.')
    expect(sent(0).request?.system).not.toContain('Use tabs.')
  })

  it('of other folders are named in front of every request, so that the model reads them before it works there', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
    mkdirSync(join(world.workspace, 'lib'))
    put('lib/AGENTS.md', 'Use spaces.')
    await world.reopen()
    await world.say('Do it.')
    expect(sent(0).request?.system).toMatch(/instructions of their own.*lib\/AGENTS\.md/s)
    expect(sent(0).request?.system).not.toContain('Use spaces.')
  })

  it.each(PROTOCOLS)('that change are sent after the part that the provider has cached, over %s', async (protocol) => {
    const steps = [
      calling('bash', { command: 'echo "The port is 9000." > MEMORY.md' }),
      {
        calls: [
          { name: 'ls', input: {} },
          { name: 'ls', input: {} },
        ],
      },
    ]
    world = await agentWorld({ protocol, brain: scriptedBrain({ steps }) })
    put('MEMORY.md', 'The port is 8443.')
    await world.reopen()
    await world.say('Do it.')
    await world.say('Go on.')
    expect(world.server.violations).toEqual([])
    const [before, after, ...later] = world.server.requests
    if (before === undefined || after === undefined) return expect.unreachable('two requests')
    expect(JSON.stringify(conversationIn(before))).not.toContain('9000.')
    expect(saidTo(after.request)).toContain('The facts below have changed')
    expect(saidTo(after.request)).toContain('The port is 9000.\n')
    // It comes last, after the result of the call that changed it.
    expect(JSON.stringify(after.request?.messages.at(-1))).toContain('The port is 9000.')
    for (const [i, record] of [after, ...later].entries()) {
      const former = sent(i)
      expect(frontOf(record)).toEqual(frontOf(former))
      expect(conversationIn(record).slice(0, conversationIn(former).length)).toEqual(conversationIn(former))
      expect(saidTo(record.request).split('<memory').length - 1).toBe(1)
    }
  })

  it('that have changed come first again after a compaction, once', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [{ text: longText('one', 3_000) }] }) })
    put('MEMORY.md', 'The port is 8443.')
    await world.reopen()
    await world.say('First.')
    put('MEMORY.md', 'The port is 9000.')
    await world.say('Second.')
    expect(sent(-1).request?.system).toContain('8443')
    await compactNow(world.agent, { reason: 'manual', signal: never })
    await world.say('Third.')
    const { request } = sent(-1)
    expect(request?.system).toContain('The port is 9000.')
    expect(request?.system).not.toContain('8443')
    expect(saidTo(request)).not.toContain('9000')
  })

  it('that are gone are said to be', async () => {
    world = await agentWorld({ brain: scriptedBrain({ steps: [calling('bash', { command: 'rm MEMORY.md' })] }) })
    put('MEMORY.md', 'The port is 8443.')
    await world.reopen()
    await world.say('Do it.')
    expect(saidTo(sent(-1).request)).toContain('There are none now.')
  })

  it('are counted, also a change before it is sent', async () => {
    const big = longText('fact', 4_000)
    const counted: number[] = []
    world = await agentWorld({
      brain: scriptedBrain({ steps: [calling('bash', { command: 'cp big.md MEMORY.md' }), calling('ls', {})] }),
      agent: {
        onEvent: (event) => {
          if (event.type === 'step-started') counted.push(world.agent.status().tokens)
        },
      },
    })
    put('big.md', big)
    put('MEMORY.md', big.slice(0, 8_000))
    await world.reopen()
    await world.say('Do it.')
    const errors = world.server.requests.map(({ tokens }, i) => Math.abs((counted[i] ?? 0) - tokens) / tokens)
    expect(counted).toHaveLength(3)
    expect(Math.max(...errors)).toBeLessThan(0.15)
  })

  it('that become too large mid-turn lead to a compaction, not to an overflow', async () => {
    const steps = [
      ...Array.from({ length: 6 }, (_, n) => printing(`step ${n}`, 360)),
      calling('bash', { command: 'cp big.md MEMORY.md' }),
    ]
    world = await agentWorld({ window: 30_000, brain: scriptedBrain({ steps }) })
    put('big.md', longText('fact', 4_000))
    expect(await world.say('Do it.')).toMatchObject({ reason: 'done' })
    expect(world.server.violations).toEqual([])
    expect(world.events.filter(({ type }) => type === 'compaction-ended')).not.toEqual([])
    expect(sent(-1).request?.system).toContain('fact, line 400:')
  })
})
