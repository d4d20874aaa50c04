import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { runTurn, userMessage } from '../../../src/agent/loop/run-turn.ts'
import { isRunning } from '../../../src/agent/processes/process-table.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { textOf } from '../../../src/model/types.ts'
import { recall } from '../../../src/session/search/search-session.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import type { ModelRequest } from '../../support/model-server/index.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

type Steps = Parameters<typeof scriptedBrain>[0]['steps']

async function worldOf(steps: Steps, options: Partial<AgentWorldOptions> = {}): Promise<AgentWorld> {
  const world = await agentWorld({ brain: scriptedBrain({ steps }), ...options })
  onTestFinished(async () => {
    await world.agent.deps.jobs?.close()
    await world.close()
  })
  return world
}

const idIn = (request: ModelRequest) => /background with ID: (j\d+)/.exec(saidTo(request))?.[1] ?? '?'
const inBackground = (command: string) => calling('bash', { command, background: true })
const lastSaid = ({ server }: AgentWorld) => saidTo(server.requests.at(-1)?.request)
const jobsOf = ({ agent }: AgentWorld) => agent.deps.jobs?.all ?? []

async function release({ workspace }: AgentWorld): Promise<void> {
  writeFileSync(join(workspace, 'go'), '')
}

/** A command that ends when the file `go` exists. */
const WAITS = 'echo begun; until [ -e go ]; do sleep 0.02; done; echo over'

it('a command in the background answers at once, is read by its handle, and its end is read with the next message', async () => {
  const world = await worldOf([inBackground(`${WAITS}; exit 3`), { text: 'It runs.' }])
  expect(await world.say('Start it.')).toMatchObject({ reason: 'done', answer: 'It runs.' })
  const [job] = jobsOf(world)
  expect(job).toMatchObject({ state: 'running' })
  await release(world)
  await job?.ended
  expect(world.events).toContainEqual({ type: 'notice', text: expect.stringMatching(/^j\d+ ended: exit code 3, /) })
  await world.say('And now?')
  expect(lastSaid(world)).toMatch(/\[Background command j\d+ ended: exit code 3, .*\]\nbegun\nover\n\[exit code: 3\]/)
  await world.say('Once more.')
  expect(lastSaid(world).match(/Background command j\d+ ended/g)).toHaveLength(1)
  // The report is data of the program, not what the user said.
  const { users = [] } = indexDelta(world.agent.live.view.items.slice())
  expect(users.map(({ text }) => text)).toEqual(['Start it.', 'And now?', 'Once more.'])
})

it('the model reads what is new, waits for the end, and stops a command', async () => {
  const world = await worldOf([
    inBackground(WAITS),
    inBackground('sleep 600'),
    async (request) => {
      await vi.waitFor(() => expect(jobsOf(world)[0]?.output()).toContain('begun'))
      return calling('job', { id: idIn(request) })
    },
    async (request) => {
      await release(world)
      return calling('job', { id: idIn(request), waitSeconds: 20 })
    },
    () => calling('job', { id: jobsOf(world)[1]?.id, action: 'stop' }),
    () => calling('job', { id: 'j999' }),
  ])
  await world.say('Go.')
  const said = lastSaid(world)
  expect(said).toMatch(/ID: j\d+ \(for .*; its output so far\)\nbegun/)
  expect(said).toMatch(/\nover\n\[exit code: 0\]/)
  expect(said).toContain('(aborted because you stopped it and killed, with all it started)\n[exit code: 130]')
  expect(said).toContain('There is no background command j999 in this session')
  // The model has read both ends itself.
  expect(said).not.toContain('[Background command')
  expect(jobsOf(world).map(({ state }) => state)).toEqual(['ended', 'ended'])
})

it('of the output since its last look, the model also reads lines that changed', async () => {
  const world = await worldOf([
    inBackground(`printf 'first\\n1 of 2'; ${WAITS.replace('echo begun; ', '')}; printf '\\r2 of 2 is done'`),
    async (request) => {
      await vi.waitFor(() => expect(jobsOf(world)[0]?.output()).toContain('1 of 2'))
      return calling('job', { id: idIn(request) })
    },
    { text: 'It runs.' },
  ])
  await world.say('Go.')
  expect(lastSaid(world)).toContain('its output so far)\nfirst\n1 of 2')
  const [job] = jobsOf(world)
  await release(world)
  await job?.ended
  expect(world.agent.deps.jobs?.read(job?.id ?? '', 'new').text).toMatch(/^1 of 2over\n2 of 2 is done/)
})

it('the end of a command is reported with its raw output', async () => {
  const world = await worldOf([inBackground(`${WAITS}; printf '1 of 2\\r2 of 2\\n'`), { text: 'It runs.' }])
  await world.say('Go.')
  await release(world)
  await jobsOf(world)[0]?.ended
  await world.say('And now?')
  const [, handle = ''] = /raw output, \d+ characters: recall (#\d+) with raw/.exec(lastSaid(world)) ?? []
  const [entry] = await recall(world.store, world.session, handle, { raw: true })
  expect(JSON.stringify(entry)).toContain('1 of 2␍2 of 2')
})

it('the user sends a running command to the background, and interrupting the turn does not end it', async () => {
  const world = await worldOf([calling('bash', { command: WAITS }), { text: 'Fine.' }])
  const turn = world.say('Run it.')
  await vi.waitFor(() => expect(world.agent.deps.jobs?.sendToBackground()).toBe(true))
  await turn
  expect(lastSaid(world)).toMatch(/Command running in background with ID: j\d+, where the user sent it/)
  const stop = new AbortController()
  stop.abort()
  await world.say('Stop.', stop.signal)
  expect(jobsOf(world)).toMatchObject([{ state: 'running' }])
  await release(world)
  await jobsOf(world)[0]?.ended
  expect(jobsOf(world)).toMatchObject([{ state: 'ended', exit: 0 }])
})

it('the handle of a running command is in the context after a compaction', async () => {
  const long = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 2_500) }))
  const world = await worldOf([inBackground(WAITS), { text: 'It runs.' }, ...long], { window: 16_000 })
  for (const text of ['Start it.', 'One.', 'Two.', 'Three.']) await world.say(text)
  const signal = new AbortController().signal
  expect(await compactNow(world.agent, { reason: 'manual', signal })).toMatchObject({ compacted: true })
  for (const text of ['Four.', 'Five.']) await world.say(text)
  const named = `[Background command ${jobsOf(world)[0]?.id} is still running: ${WAITS}`
  expect(lastSaid(world).split(named)).toHaveLength(2)
})

it('commands that ended with the program are reported once when the session is opened again', async () => {
  const world = await worldOf([inBackground(WAITS), { text: 'It runs.' }])
  await world.say('Start it.')
  const folder = join(world.folder, 'data', 'jobs')
  const [name = ''] = readdirSync(folder)
  // As a process that was killed leaves it.
  const crashed = join(folder, name.replace(/\.\d+\./, '.999999999.'))
  writeFileSync(crashed, readFileSync(join(folder, name)))
  const again = await world.reopen()
  const signal = new AbortController().signal
  await runTurn(again, userMessage('What now?'), signal)
  await runTurn(again, userMessage('And now?'), signal)
  const texts = again.live.view.items.slice().map(({ message }) => textOf(message))
  expect(texts.filter((text) => text.includes('ended when Pith ended'))).toHaveLength(1)
  expect(existsSync(crashed)).toBe(false)
})

it('a detached command outlives the others, and is no longer the model’s', async () => {
  const world = await worldOf([
    inBackground('echo $$ > pid; while :; do echo on; sleep 0.05; done'),
    inBackground('sleep 600'),
    { text: 'Both run.' },
    () => calling('job', { id: jobsOf(world)[0]?.id, action: 'stop' }),
  ])
  await world.say('Start both.')
  const { jobs } = world.agent.deps
  await vi.waitFor(() => expect(existsSync(join(world.workspace, 'pid'))).toBe(true))
  const { ok, text } = jobs?.detach(jobsOf(world)[0]?.id ?? '') ?? { ok: false, text: '' }
  expect(ok).toBe(true)
  const [, file = '', group = ''] = /Its output: (.*)\. To end it: kill -- -(\d+)/.exec(text) ?? []
  onTestFinished(() => void process.kill(-Number(group), 'SIGKILL'))
  await jobs?.close()
  expect(jobsOf(world).map(({ state }) => state)).toEqual(['detached', 'ended'])
  const size = readFileSync(file).length
  await vi.waitFor(() => expect(readFileSync(file).length).toBeGreaterThan(size))
  await world.say('Stop it.')
  expect(lastSaid(world)).toMatch(/The user detached j\d+: it is no longer yours/)
  expect(isRunning(Number(group))).toBe(true)
})
