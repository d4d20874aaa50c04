import { afterEach, expect, it } from 'vitest'
import { recall } from '../../../src/session/search/search-session.ts'
import { addUserCommand, runUserCommand } from '../../../src/tui/local/local-work.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const PROGRESS = `for i in $(seq 1 400); do printf '\\rdownloading part%s of 400' $i; done; echo; echo end`

it('the model gets what a terminal shows, and reads the raw output by its handle', async () => {
  const steps = [calling('bash', { command: PROGRESS }), calling('recall', { handles: '#3', raw: true })]
  world = await agentWorld({ brain: scriptedBrain({ steps }) })
  expect(await world.say('Do it.')).toMatchObject({ reason: 'done' })
  const shown = saidTo(world.server.requests[1]?.request)
  expect(shown).toContain('downloading part400 of 400\nend\n[shown as a terminal shows it; raw output, ')
  expect(shown).toContain('characters: recall #3 with raw]\n[exit code: 0]')
  expect(shown).not.toContain('part399')
  expect(saidTo(world.server.requests[2]?.request)).toContain('␍downloading part398 of 400␍downloading part399 of 400')
  expect(world.server.violations).toEqual([])
})

it('raw output is kept apart from the log in memory, is not searched, and goes with a redaction', async () => {
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  const { live } = world.agent
  await addUserCommand(world.agent, await runUserCommand(world.agent, PROGRESS, new AbortController().signal))
  expect(JSON.stringify(live.log)).not.toContain('part398')
  const seq = live.log.at(-1)?.seq ?? 0
  const raw = async () => JSON.stringify(await recall(live.store, live.id, [seq], { raw: true }))
  expect(await raw()).toContain('part398')
  expect((await live.store.search({ text: 'part398' })).hits).toEqual([])
  expect((await live.store.search({ text: 'part400' })).hits).toHaveLength(1)
  await live.store.redact(live.id, [seq])
  expect(await raw()).not.toContain('part')
})

it('a key of a provider is not in raw output, however it is coloured', async () => {
  const key = 'sk-test-0123456789abcdefghij'
  world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  const { live } = world.agent
  const deps = { ...world.agent.deps, keys: [key] }
  const run = (text: string) =>
    runUserCommand({ deps, live }, `printf '${text}\\rshown on the screen instead of it'`, new AbortController().signal)
  expect((await run(key)).raw).toContain('[secret left out: key of a model provider]\rshown')
  expect((await run(`${key.slice(0, 9)}\\033[31m${key.slice(9)}`)).raw).toBeUndefined()
})
