import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PlanAnswer } from '../../../src/agent/agent.ts'
import { onlyReads } from '../../../src/agent/permissions/decide.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { typedIn } from '../../../src/engine/extract/text/typed-words.ts'
import { type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'

const STEPS = ['Add the check to src/a.ts', 'Run the tests']
const plan = calling('todo', { todos: STEPS.map((text) => ({ text, status: 'pending' })) })
const write = calling('write', { path: 'a.txt', content: 'a' })

async function planning(options: AgentWorldOptions) {
  const world = await agentWorld(options)
  onTestFinished(world.close)
  await world.agent.live.append([{ type: 'settings', planning: true }])
  return world
}

const sent = ({ requests }: { readonly requests: readonly { readonly body: unknown }[] }) =>
  JSON.stringify(requests.at(-1)?.body)

const answers = (...all: PlanAnswer[]): AgentWorldOptions['agent'] => ({
  askPlan: async () => all.shift() ?? { kind: 'refused' },
})

describe('plan mode', () => {
  it('refuses what writes, even in full, and an accepted plan becomes the to-do list and ends it', async () => {
    const brain = scriptedBrain({ steps: [write, calling('bash', { command: 'touch b.txt' }), plan, write] })
    const { agent, workspace, say, server } = await planning({ brain, agent: answers({ kind: 'accepted' }) })
    expect((await say('add a check')).reason).toBe('done')
    const said = sent(server)
    expect(said.match(/Not allowed in plan mode/g)).toHaveLength(2)
    expect(said).toContain('The user accepted this plan')
    expect([existsSync(join(workspace, 'a.txt')), existsSync(join(workspace, 'b.txt'))]).toEqual([true, false])
    expect(agent.isPlanning).toBe(false)
    // A command that was refused has changed nothing.
    const { files } = indexDelta(agent.live.view.items.slice())
    expect(files?.map(({ path }) => path)).toEqual(['a.txt'])
    const todos = agent.live.log.flatMap((entry) => (entry.type === 'todo' ? entry.items.map(({ text }) => text) : []))
    expect(todos).toEqual(STEPS)
  })

  it('survives a restart, and reads files', async () => {
    const brain = scriptedBrain({ steps: [calling('read', { path: 'a.txt' }), write] })
    const { reopen, workspace, say, server } = await planning({ brain })
    writeFileSync(join(workspace, 'a.txt'), 'the old text')
    expect((await reopen()).isPlanning).toBe(true)
    await say('plan it')
    expect(sent(server)).toMatch(/the old text[\s\S]*Not allowed in plan mode/)
  })

  it('stays on when the plan is changed or refused, keeps no list of it, and knows the words of the user', async () => {
    const brain = scriptedBrain({ steps: [plan, plan, write] })
    const tell: PlanAnswer = { kind: 'tell', text: 'no tests please' }
    const { agent, say, server } = await planning({ brain, agent: answers(tell, { kind: 'refused' }) })
    await say('add a check')
    expect(agent.isPlanning).toBe(true)
    expect(agent.live.log.some(({ type }) => type === 'todo')).toBe(false)
    expect(sent(server)).toContain('The user does not want this plan')
    const words = agent.live.log.flatMap((entry) => (entry.type === 'message' ? (entry.userWords ?? []) : []))
    expect(words).toEqual([{ text: 'no tests please', reply: 'rejection' }])
  })

  it('without a user, the plan is the answer', async () => {
    const { agent, say, server } = await planning({ brain: scriptedBrain({ steps: [plan] }) })
    await say('add a check')
    expect(sent(server)).toContain('Nobody is there to accept a plan')
    expect(agent.isPlanning).toBe(true)
  })

  it('adds a note to a message that is not the user’s', async () => {
    const { agent, say, server } = await planning({ brain: scriptedBrain({ steps: [] }) })
    await say('add a check')
    expect(sent(server)).toContain('Plan mode is on for this message')
    const [said] = agent.live.log.filter((entry) => entry.type === 'message')
    expect(said && typedIn(said)).toBe('add a check')
  })
})

describe('a command in plan mode', () => {
  const place = { workspace: '/repo', home: '/home/u' }
  it.each([
    ['git diff HEAD~1 | head -50', true],
    ['grep -rn todo src 2>/dev/null', true],
    ['cat src/a.ts && ls', true],
    ['npm test', false],
    ['echo x > a.txt', false],
    ['sed -i s/a/b/ a.txt', false],
    ['git commit -m x', false],
    ['cat $(which node)', false],
    ['find . -delete', false],
  ])('%s: %s', (command, expected) => {
    expect(onlyReads({ kind: 'command', command }, place)).toBe(expected)
    expect(onlyReads({ kind: 'command', command, outside: true }, place)).toBe(false)
  })
})
