import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { fileToken } from '../server/support/file-token.ts'
import { serverHome } from '../server/support/processes.ts'
import { user } from '../support/messages.ts'
import { startModelServer } from '../support/model-server/index.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'
import { turn } from './asked.ts'
import type { Call, Client } from './client.ts'
import { clientWorld } from './client-world.ts'
import { put } from './put.ts'
import { placeClient } from './run-client.ts'
import { wrapClient } from './wrap-client.ts'

/** An agent with `pith mcp` in its configuration, and how its model comes to call a tool of it. */
type McpClient = {
  readonly with: (server: Server) => Client
  readonly calls: (tool: string, input: object) => readonly Call[]
  /** The text in a request about the server before a tool of it is called. */
  readonly mention: string
  /** The way to add the server of a team: the arguments of a command, or its own configuration. */
  readonly remote: (url: string, authorization: string) => readonly string[] | Client
}

type Server = { readonly command: string; readonly args: readonly string[] }

const CLIENTS: Readonly<Record<string, McpClient>> = {
  'Claude Code': {
    with: (pith) => {
      const flags = ['--mcp-config', JSON.stringify({ mcpServers: { pith } })]
      return { ...claudeCode, start: (prompt, place) => [...claudeCode.start(prompt, place), ...flags] }
    },
    // It defers the tools of servers: a search gives the model their schemas.
    calls: (tool, input) => [
      { name: 'ToolSearch', input: { query: `select:mcp__pith__${tool}` } },
      { name: `mcp__pith__${tool}`, input },
    ],
    mention: 'mcp__pith__recall',
    remote: (url, authorization) => [
      ...['mcp', 'add', '--transport', 'http', 'pith', url],
      ...['--header', `Authorization: ${authorization}`],
    ],
  },
  Codex: {
    with: ({ command, args }) => ({
      ...codex,
      setUp: (place) => {
        const env = codex.setUp(place)
        const server = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
        appendFileSync(join(place.home, '.codex/config.toml'), `[mcp_servers.pith]\n${server}`)
        return env
      },
    }),
    // It starts servers beside the first request, and has their tools behind a search, each in the namespace of its server.
    calls: (tool, input) => [
      codex.calls.shell('sleep 8'),
      { name: 'tool_search', input: { query: tool } },
      { name: tool, namespace: 'mcp__pith', input },
    ],
    mention: '- pith: Pith has every word of this session',
    remote: (url) => ['mcp', 'add', 'pith', '--url', url, '--bearer-token-env-var', 'PITH_TOKEN'],
  },
  'Gemini CLI': {
    with: (pith) => ({
      ...gemini,
      setUp: (place) => {
        const env = gemini.setUp(place)
        const file = join(place.home, '.gemini/settings.json')
        put(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), mcpServers: { pith } }))
        return env
      },
    }),
    // It adds an argument of its own to every tool.
    calls: (tool, input) => [{ name: `mcp_pith_${tool}`, input: { ...input, wait_for_previous: true } }],
    mention: '"name":"mcp_pith_recall"',
    remote: (url, authorization) => [
      ...['mcp', 'add', '--scope', 'user', '--transport', 'http'],
      ...['--header', `Authorization: ${authorization}`, 'pith', url],
    ],
  },
  opencode: {
    with: ({ command, args }) => withConfig({ mcp: { pith: { type: 'local', command: [command, ...args] } } }),
    calls: (tool, input) => [{ name: `pith_${tool}`, input }],
    mention: '"name":"pith_recall"',
    remote: (url) => {
      const server = { type: 'remote', url, headers: { Authorization: 'Bearer {env:PITH_TOKEN}' } }
      return withConfig({ mcp: { pith: server } })
    },
  },
}

function withConfig(more: object): Client {
  return {
    ...opencode,
    setUp: (place) => {
      const env = opencode.setUp(place)
      const config = { ...JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{}'), ...more }
      return { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
    },
  }
}

const OF_LABEL: Readonly<Record<string, Client>> = {
  'Claude Code': claudeCode,
  Codex: codex,
  'Gemini CLI': gemini,
  opencode,
}

/** The user's words, found by `recall`. */
const RECALLED = /#\d+ \(user, [^)]{1,40}\):.{0,200}Think of the heron of the lake/

describe.each(Object.entries(CLIENTS))('%s', (label, { with: withServer, calls, mention, remote }) => {
  it('offers the tools of pith mcp to its model and recalls its own running session', async () => {
    const steps = [...calls('recall', { search: 'heron of the lake' }), ...calls('context', {})]
    const { model, place } = await clientWorld(({ results, tools }) => {
      const next = tools.length > 0 ? steps[results] : undefined
      return next === undefined ? { text: 'Answer.' } : { text: `Step ${results}.`, calls: [next] }
    })
    const running = place(withServer({ command: process.execPath, args: [inject('program'), 'mcp'] }))
    const ran = await running.start(turn(1, 'Think of the heron of the lake.'))
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer.') })
    const asked = model.asked.filter(({ tools }) => tools.length > 0)
    expect(asked.map(({ body }) => JSON.stringify(body)).join('\n')).toContain(mention)
    const last = JSON.stringify(asked.at(-1)?.messages)
    expect(last).toContain(`of ${label}`)
    expect(last).toContain('(the newest of this folder)')
    expect(last).toMatch(RECALLED)
    expect(last).toContain('What fills it, in tokens')
  })

  it('recalls the sessions of a team over HTTP, added as the docs say', async () => {
    const steps = calls('recall', { search: 'heron of the lake' })
    const { model, place } = await clientWorld(({ results, tools }) => {
      const next = tools.length > 0 ? steps[results] : undefined
      return next === undefined ? { text: 'Answer.' } : { text: `Step ${results}.`, calls: [next] }
    })
    const team = await serveTeam()
    const added = remote(`${team.url}/mcp`, `Bearer ${team.token}`)
    const client = 'name' in added ? added : (OF_LABEL[label] ?? claudeCode)
    const running = place({ ...client, setUp: (at) => ({ ...client.setUp(at), PITH_TOKEN: team.token }) })
    if (!('name' in added)) expect(await running.run(added)).toMatchObject({ code: 0 })
    const ran = await running.start(turn(1, 'What did we think of?'))
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer.') })
    const last = JSON.stringify(model.asked.findLast(({ tools }) => tools.length > 0)?.messages)
    expect(last).toMatch(RECALLED)
    expect(last).toContain('(the newest of alice)')
  })
})

it.each([
  ['claude', claudeCode, CLIENTS['Claude Code']?.calls],
  ['opencode', opencode, CLIENTS.opencode?.calls],
] as const)('%s in mode rewrite drops a part of its own context with change_context', async (_, client, calls) => {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const drop = calls?.('change_context', { action: 'drop', part: 'turn:#1' }) ?? []
  const { model } = await clientWorld(({ results, tools, turn: number }) => {
    const steps = number === 1 ? [client.calls.shell(`seq -f 'heron %g' 1 900`)] : drop
    const next = tools.length > 0 ? steps[results] : undefined
    return next === undefined ? { text: `Answer ${number}.` } : { text: `Step ${results}.`, calls: [next] }
  })
  const pith = inject('program')
  const running = wrapClient(client, { program: installed.program, pith, url: model.url, mode: 'rewrite' })
  onTestFinished(running.remove)
  const first = await running.start(turn(1, 'Count herons.'))
  const [file] = running.sessions()
  const second = await running.resume({ id: file?.id ?? '', file: file?.path ?? '' }, turn(2, 'Go on.'))
  expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1') })
  expect(second, second.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 2') })
  const last = JSON.stringify(model.asked.findLast(({ tools }) => tools.length > 0)?.messages)
  expect(last).toContain('left out by the model')
  expect(last).not.toContain('899 heron')
  expect(last).toContain('Count herons.')
})

it.each([
  ['claude', claudeCode, CLIENTS['Claude Code']?.calls],
  ['opencode', opencode, CLIENTS.opencode?.calls],
  ['copilot', copilot, (tool: string, input: object) => [{ name: `pith-${tool}`, input }]],
] as const)(
  '%s behind pith wrap has recall without any setting, of the session that the gateway records',
  async (name, client, calls) => {
    const steps = calls?.('recall', { search: 'heron of the lake' }) ?? []
    const { model } = await clientWorld(({ results, tools }) => {
      const next = tools.length > 0 ? steps[results] : undefined
      return next === undefined ? { text: 'Answer.' } : { text: `Step ${results}.`, calls: [next] }
    })
    const running = placeClient(client, { program: wrapped(name, client), url: model.url })
    onTestFinished(running.remove)
    const ran = await running.start(turn(1, 'Think of the heron of the lake.'))
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer.') })
    const last = JSON.stringify(model.asked.findLast(({ tools }) => tools.length > 0)?.messages)
    expect(last).toMatch(/of the wrapped agent.{0,200}\(the newest of this agent, as Pith’s gateway records it\)/)
    expect(last).toMatch(RECALLED)
  },
)

/** `pith serve` with a session of alice, and her token. */
async function serveTeam(): Promise<{ url: string; token: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'pith-team-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'pith.db')
  const model = await startModelServer({ brain: () => ({ text: 'ok' }) })
  onTestFinished(() => model.close())
  const home = serverHome(path, model)
  const { secret: token } = fileToken(home.folder, { name: 'alice', access: 'write' })
  const { url } = await home.start(['--quiet'])
  onTestFinished(() => home.stop())
  const store = await openStore(path)
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'alice', workspace: '/projects' })
  await store.append(id, [{ type: 'message', message: user('Think of the heron of the lake.') }])
  return { url, token }
}

/** A program that starts an agent behind a gateway. */
function wrapped(name: string, client: Client): string {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const folder = mkdtempSync(join(tmpdir(), 'pith-wrapped-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const file = join(folder, 'wrapped.sh')
  const set = `export PATH='${dirname(installed.program)}':"$PATH" PITH_HOME='${folder}'`
  put(file, `#!/bin/sh\n${set}\nexec '${process.execPath}' '${inject('program')}' wrap ${name} -- "$@"\n`)
  chmodSync(file, 0o755)
  return file
}
