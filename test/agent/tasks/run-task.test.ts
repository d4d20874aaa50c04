import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { ContentStore } from '../../../src/agent/checkpoints/content-store.ts'
import { redactWithContents } from '../../../src/agent/checkpoints/open-keeper.ts'
import { contentHash } from '../../../src/agent/tools/files/stored-file.ts'
import { outputText, resultsOf } from '../../../src/model/types.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { SpentMeter } from '../../../src/session/account/spent-meter.ts'
import { recallWithTasks, searchWithTasks, tasksOf } from '../../../src/session/tasks.ts'
import { type AgentWorld, type AgentWorldOptions, agentWorld } from '../../support/agent-world.ts'
import { BILLED_PRICES, billed } from '../../support/model-server/billed.ts'
import type { Answer, Brain, Fault, ModelRequest } from '../../support/model-server/index.ts'
import { calling, longText, saidTo } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

type Say = (request: ModelRequest) => Answer | Fault | Promise<Answer | Fault>

/** A model whose first answer starts these sub-agents. `child` answers their requests, by the order that they got. */
function delegating(orders: readonly Order[], child: (order: string, step: number) => Say | Answer | Fault): Brain {
  let began = false
  const steps = new Map<string, number>()
  return (request) => {
    const order = orders.find(({ prompt }) => isChild(request) && saidTo(request).includes(prompt))?.prompt
    if (order === undefined) {
      if (began) return { text: 'All is done.' }
      began = true
      return { calls: orders.map((input) => ({ name: 'task', input: { description: input.prompt, ...input } })) }
    }
    const step = (steps.get(order) ?? 0) + 1
    steps.set(order, step)
    const said = child(order, step)
    return typeof said === 'function' ? said(request) : said
  }
}

type Order = { readonly prompt: string; readonly tools?: 'read' | 'all' }

function isChild(request: ModelRequest | undefined): boolean {
  return request?.system.includes('You are a sub-agent') === true
}

async function open(brain: Brain, options: Partial<AgentWorldOptions> = {}): Promise<void> {
  world = await agentWorld({ ...options, brain })
}

/** The results of the calls that started sub-agents. */
async function reports(): Promise<string[]> {
  const { entries } = await world.store.entries(world.session, { only: 'messages' })
  return entries
    .flatMap((entry) => (entry.type === 'message' ? resultsOf(entry.message) : []))
    .map(({ output }) => outputText(output))
}

it('only the report of a sub-agent enters the view of its caller, and recall finds the rest', async () => {
  await open(
    delegating([{ prompt: 'Find the port.' }], (_, step) =>
      step === 1 ? calling('read', { path: 'config.txt' }) : { text: 'The port is 8443.' },
    ),
  )
  writeFileSync(join(world.workspace, 'config.txt'), 'listen: 8443\nwatchword: heliotrope\n')
  const end = await world.say('Which port?')
  expect(end).toMatchObject({ reason: 'done', answer: 'All is done.' })
  expect(await reports()).toEqual(['The port is 8443.\n\n[sub-agent task-1; transcript task-1#1-#5]'])
  expect(saidTo(world.server.requests.at(-1)?.request)).not.toContain('heliotrope')
  const { store, session } = world
  const found = await searchWithTasks(store, session, 'heliotrope')
  expect(found.hits.map((hit) => `${found.nameOf?.(hit)}#${hit.seq}`)).toEqual(['task-1#4'])
  expect(await recallWithTasks(store, session, 'task-1#4')).toMatchObject([{ seq: 4, message: { role: 'tool' } }])
  await expect(recallWithTasks(store, session, 'task-7#1')).rejects.toThrow('There is no sub-agent task-7')
  // Its order is not the user's word.
  expect((await searchWithTasks(store, session, 'role:user port')).hits.map(({ session }) => session)).toEqual([
    session,
  ])
  expect((await store.sessions()).sessions.map(({ id }) => id)).toEqual([session])
})

it('the caller pays for its sub-agents, and the cost is the one billed', async () => {
  await open(delegating([{ prompt: 'One.' }, { prompt: 'Two.' }], () => ({ text: 'Nothing to do.' })))
  const end = await world.say('Go.')
  expect(world.server.requests).toHaveLength(4)
  expect(end.cost).toBeCloseTo(billed(world.server.requests), 9)
  const meter = new SpentMeter(registryOf([{ provider: 'local', model: 'pith-test', prices: BILLED_PRICES }]))
  await meter.read(world.store, world.session)
  expect(meter.report.calls).toBe(4)
  expect(meter.report.cost).toBeCloseTo(billed(world.server.requests), 9)
})

it('sub-agents of one answer run side by side, but only one of them runs a command at a time', async () => {
  const orders = ['One.', 'Two.', 'Three.'].map((prompt) => ({ prompt, tools: 'all' as const }))
  const allAsked = Promise.withResolvers<void>()
  let asked = 0
  await open(
    delegating(orders, (_, step) => {
      if (step > 1) return { text: 'Done.' }
      // No sub-agent gets its first answer before all have asked for one.
      if (++asked === orders.length) allAsked.resolve()
      return async () => {
        await allAsked.promise
        return calling('bash', { command: 'mkdir busy && sleep 0.05 && rmdir busy && echo free >> log.txt' })
      }
    }),
  )
  await world.say('Go.')
  expect(readFileSync(join(world.workspace, 'log.txt'), 'utf8')).toBe('free\nfree\nfree\n')
  expect((await tasksOf(world.store, world.session)).map(({ name }) => name)).toEqual(['task-1', 'task-2', 'task-3'])
})

it('a sub-agent that reads has no other tools, and none can start another', async () => {
  await open(delegating([{ prompt: 'One.' }, { prompt: 'Two.', tools: 'all' }], () => ({ text: 'Done.' })))
  await world.say('Go.')
  const offered = world.server.requests.flatMap(({ request }) =>
    isChild(request) ? [request?.tools.map(({ name }) => name)] : [],
  )
  expect(offered).toContainEqual(['read', 'grep', 'find', 'ls', 'recall'])
  expect(offered).toContainEqual(['read', 'write', 'edit', 'bash', 'job', 'grep', 'find', 'ls', 'todo', 'recall'])
})

it('the files that a sub-agent changed are facts of its caller, and its checkpoints are in the log of its caller', async () => {
  await open(
    delegating([{ prompt: 'Write.', tools: 'all' }], (_, step) =>
      step === 1 ? calling('write', { path: 'new.txt', content: 'hello\n' }) : { text: 'Written.' },
    ),
    { settings: { checkpointMb: 10 } },
  )
  await world.say('Go.')
  const { entries } = await world.store.entries(world.session)
  expect(entries.filter(({ type }) => type === 'checkpoint')).toMatchObject([
    { files: [{ path: 'new.txt', before: null }] },
    { files: [{ path: 'new.txt', after: contentHash('hello\n') }] },
  ])
  expect(await reports()).toEqual([expect.stringContaining('[sub-agent task-1; changed new.txt; transcript task-1#1-')])
  const result = entries.find((entry) => entry.type === 'message' && entry.message.role === 'tool')
  expect(result).toMatchObject({ files: [{ path: 'new.txt', access: 'modified', by: 'task-1' }] })
})

it('a command that a sub-agent left in the background belongs to its caller', async () => {
  await open(
    delegating([{ prompt: 'Serve.', tools: 'all' }], (_, step) =>
      step === 1 ? calling('bash', { command: 'echo up; sleep 600', background: true }) : { text: 'It is up.' },
    ),
  )
  onTestFinished(() => world.agent.deps.jobs?.close())
  await world.say('Go.')
  const { jobs } = world.agent.deps
  const [job] = jobs?.all ?? []
  const running = `[Background command ${job?.id} is still running: echo up; sleep 600.`
  expect(saidTo(world.server.requests.at(-1)?.request)).toContain(running)
  await jobs?.stop(job?.id ?? '', 'the test is over')
  await world.say('And now?')
  expect(saidTo(world.server.requests.at(-1)?.request)).toContain(`[Background command ${job?.id} ended: exit code 130`)
})

it('a redaction also removes the same words from what its sub-agents said', async () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  await open(delegating([{ prompt: 'Find the token.' }], () => ({ text: `It is ${secret}.` })))
  await world.say('Which token?')
  const { store, session, folder } = world
  const { entries } = await store.entries(session)
  const report = entries.find((entry) => entry.type === 'message' && entry.message.role === 'tool')?.seq ?? 0
  const contents = new ContentStore(join(folder, 'contents'))
  expect(await redactWithContents({ store, contents, id: session, folder }, [report])).toMatchObject({ inTasks: 1 })
  const log = await recallWithTasks(store, session, 'task-1#1-#9')
  expect(JSON.stringify(log)).toContain('Find the token.')
  expect(JSON.stringify(log)).not.toContain(secret)
})

it('a sub-agent asks through the permissions of its caller, and the question names it', async () => {
  const asked: (string | undefined)[] = []
  await open(
    delegating([{ prompt: 'Write.', tools: 'all' }], (_, step) =>
      step === 1 ? calling('bash', { command: 'touch made' }) : { text: 'Not allowed.' },
    ),
    {
      settings: { permissions: 'ask' },
      agent: {
        ask: async (_request, _call, _signal, by) => {
          asked.push(by)
          return { kind: 'tell', text: 'no' }
        },
      },
    },
  )
  await world.say('Go.')
  expect(asked).toEqual(['task-1'])
  expect(existsSync(join(world.workspace, 'made'))).toBe(false)
})

it('in plan mode a sub-agent changes nothing, and has no plan to hand over', async () => {
  await open(
    delegating([{ prompt: 'Write.', tools: 'all' }], (_, step) =>
      step === 1 ? calling('write', { path: 'made', content: '' }) : { text: 'Not allowed.' },
    ),
  )
  await world.agent.live.append([{ type: 'settings', planning: true }])
  await world.say('Go.')
  expect(existsSync(join(world.workspace, 'made'))).toBe(false)
  const refused = world.server.requests
    .map(({ request }) => saidTo(request))
    .find((said) => said.includes('Not allowed'))
  expect(refused).toContain('plain commands that change nothing. Report what you found.')
})

it.each([
  ['steps', { taskSteps: 3 }, 'it took 3 steps, as many as it may (task_steps)'],
  ['tokens', { taskTokens: 9_000 }, /it used [\d,]+ tokens, more than its limit \(task_tokens\)/],
  ['dollars', { taskCost: 0.000_001 }, /it cost \S+, more than its limit \(task_cost\)/],
])('a sub-agent ends when it has used its %s, and its caller gets what it had', async (_, settings, why) => {
  await open(
    delegating([{ prompt: 'Go on.' }], (_, step) => ({ text: `Note ${step}.`, ...calling('ls', { path: '.' }) })),
    { settings },
  )
  expect(await world.say('Go.')).toMatchObject({ reason: 'done' })
  const [report = ''] = await reports()
  expect(report).toMatch(why)
  expect(report).toContain('Its last words:\n\nNote ')
  expect(report).toMatch(/\[sub-agent task-1; transcript task-1#1-#\d+\]$/)
})

it('the failure of a sub-agent is a result, and the others finish', async () => {
  await open(
    delegating([{ prompt: 'Fail.' }, { prompt: 'Work.' }], (order) =>
      order === 'Fail.' ? { fault: 'http', status: 401, message: 'no such key' } : { text: 'It works.' },
    ),
  )
  expect(await world.say('Go.')).toMatchObject({ reason: 'done', answer: 'All is done.' })
  const [failed, worked] = await reports()
  expect(failed).toMatch(/^The sub-agent task-\d did not finish: .*no such key/)
  expect(worked).toMatch(/^It works\./)
})

it('an interruption ends all sub-agents, and each leaves a result', async () => {
  const stop = new AbortController()
  let asked = 0
  await open(
    delegating([{ prompt: 'One.' }, { prompt: 'Two.' }], () => async () => {
      if (++asked === 2) stop.abort()
      return new Promise<never>(() => undefined)
    }),
  )
  expect(await world.say('Go.', stop.signal)).toMatchObject({ reason: 'aborted' })
  const texts = await reports()
  expect(texts).toHaveLength(2)
  for (const text of texts) expect(text).toContain('did not finish: it was interrupted by the user')
})

it('a message of the user reaches the running sub-agent, and its caller afterwards', async () => {
  await open(
    delegating([{ prompt: 'Look.' }], (_, step) => {
      if (step > 1) return { text: 'Done.' }
      world.agent.steering.push('Look into lib as well.')
      return calling('ls', { path: '.' })
    }),
  )
  await world.say('Go.')
  const ofChild = world.server.requests.filter(({ request }) => isChild(request))
  expect(saidTo(ofChild.at(-1)?.request)).toContain('Look into lib as well.')
  expect(saidTo(world.server.requests.at(-1)?.request)).toContain('Look into lib as well.')
})

it('a sub-agent compacts its own context, and keeps its order', async () => {
  await open(
    delegating([{ prompt: 'Read on until you know the watchword.' }], (_, step) =>
      step < 8
        ? { text: longText(`Note ${step}`, 2_000), ...calling('ls', { path: '.' }) }
        : { text: 'There is none.' },
    ),
    { window: 16_000 },
  )
  await world.say('Go.')
  const [task] = await tasksOf(world.store, world.session)
  const { entries } = await world.store.entries(task?.session ?? '')
  expect(entries.some(({ type }) => type === 'compaction')).toBe(true)
  const ofChild = world.server.requests.filter(({ request }) => isChild(request))
  expect(saidTo(ofChild.at(-1)?.request)).toContain('Read on until you know the watchword.')
  expect((await reports())[0]).toMatch(/^There is none\./)
})

it('after a kill, the call of a sub-agent has a result that names its transcript', async () => {
  let isKilled = false
  await open(
    delegating([{ prompt: 'Look.' }], (_, step) => {
      if (step === 1) return calling('ls', { path: '.' })
      isKilled = true
      return () => new Promise<never>(() => undefined)
    }),
  )
  // The turn of the process that dies never ends.
  void world.say('Go.').catch(() => undefined)
  await expect.poll(() => isKilled).toBe(true)
  await world.reopen()
  await world.say('What happened?')
  expect((await reports())[0]).toMatch(/^Interrupted: .*\n\n\[sub-agent task-1; transcript task-1#1-#4\]$/)
})
