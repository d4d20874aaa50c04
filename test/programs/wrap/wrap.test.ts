import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { upstreamServer } from '../../gateway/support/world.ts'
import { pith, pithBeside } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'

const MAIN = inject('program')
const KEY = 'sk-ant-planted-key'
const TRIGGER = 'CLAUDE_CODE_AUTO_COMPACT_WINDOW'

/** An agent that asks its provider once, and prints what it was started with. */
const AGENT = `#!/usr/bin/env node
const { readFileSync } = process.getBuiltinModule('node:fs')
const url = process.env.ANTHROPIC_BASE_URL
const isBlocking = (fd) => (parseInt(/flags:\\s*(\\d+)/.exec(readFileSync('/proc/self/fdinfo/' + fd, 'utf8'))[1], 8) & 0o4000) === 0
const blocking = process.platform === 'linux' ? [0, 1, 2].map(isBlocking) : [true, true, true]
const messages = (process.env.SAID ?? 'Hello there').split(';').map((content) => ({ role: 'user', content }))
const body = JSON.stringify({ model: 'm', messages })
fetch(url + '/v1/messages', { method: 'POST', headers: { 'x-api-key': '${KEY}' }, body }).then(async (response) => {
  const line = process.platform === 'linux' ? readFileSync('/proc/self/cmdline', 'utf8') : ''
  const holder = process.env.PITH_WRAPPED
  const trigger = process.env.${TRIGGER}
  console.log(JSON.stringify({ url, holder, trigger, blocking, args: process.argv.slice(2), pid: process.pid, line, said: await response.text() }))
  if (process.argv.includes('die')) process.kill(process.pid, 'SIGKILL')
  process.exitCode = 7
})
`

describe('pith wrap', () => {
  // One way through all of it: each agent takes four processes.
  test('starts the agent with its arguments and its exit status, continues its session when it is started again at once, and ends its gateway with it, also when it is killed', async () => {
    const seen: string[] = []
    const upstream = await upstreamServer((request, response) => {
      seen.push(`${request.url} ${request.headers['x-api-key']}`)
      response.end('{"said":"Hi"}')
    })
    const folders = configFolders()

    const first = await wrapped(folders, upstream, ['claude', '--', '-p', 'two words', '--', "it's"])
    const second = await wrapped(folders, upstream, ['claude', '--', 'die'], { SAID: 'Hello there;And now?' })

    const { code, stdout, stderr } = first
    const agent = JSON.parse(stdout)
    expect(code).toBe(7)
    expect(agent.args).toEqual([expect.stringMatching(/^--mcp-config=.*"mcp"/), '-p', 'two words', '--', "it's"])
    expect(agent.said).toBe('{"said":"Hi"}')
    expect(agent.blocking).toEqual([true, true, true])
    expect(agent.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/anthropic$/)
    expect(seen).toEqual(Array(2).fill(`/v1/messages ${KEY}`))
    expect(stderr).toBe(
      "Pith is on for Claude Code: it answers compactions, summaries by the agent's own model and key. Claude Code compacts as it does alone, 33,000 tokens before its window is full or, with some models, when the provider refuses a request. `pith gateway status` lists each request\n",
    )
    expect(agent.trigger).toBeUndefined()
    const prefix = new URL(agent.url).pathname.split('/')[1] ?? ''
    expect(agent.line + stderr).not.toContain(prefix)
    // The gateway outlives the agent for a moment, so the agent is the one that holds the session.
    expect(agent.holder).toBe(`${hostname()}:${agent.pid}`)
    await expectOneSession(folders)
    expect(second.code).not.toBe(7)
    for (const { stdout } of [first, second]) await expectGone(JSON.parse(stdout).url, folders)
  })

  test('gives an adapter for editors the mode or the trigger that its user wants', async () => {
    const upstream = await upstreamServer((_, response) => response.end('{"said":"Hi"}'))
    const folders = configFolders()
    const started = (...flags: string[]) =>
      wrapped(folders, upstream, flags, {}, ['acp', '--agent', 'claude-agent-acp'])

    const rewriting = await started('--mode', 'rewrite')
    const early = await started('--trigger', 'pith')

    expect(rewriting).toMatchObject({ code: 7, stderr: expect.stringContaining('it compacts the sessions by itself') })
    expect(JSON.parse(early.stdout)).toMatchObject({ args: [], trigger: '183000', said: '{"said":"Hi"}' })
    for (const { stdout } of [rewriting, early]) await expectGone(JSON.parse(stdout).url, folders)
  })

  test('starts an agent that must be left alone as it is, and says why', async () => {
    const upstream = await upstreamServer((_, response) => response.end('{}'))
    const folders = configFolders()

    const { code, stdout, stderr } = await wrapped(folders, upstream, ['claude'], { CLAUDE_CODE_USE_BEDROCK: '1' })

    expect(stderr).toContain('Claude Code runs without Pith: CLAUDE_CODE_USE_BEDROCK')
    expect(JSON.parse(stdout).url).toBe(upstream)
    expect(code).toBe(7)
  })

  test('gives an agent that already goes through a gateway of Pith no second one, and its session is recorded once', async () => {
    const upstream = await upstreamServer((_, response) => response.end('{"said":"Hi"}'))
    const folders = configFolders()
    const outer = await wrapped(folders, upstream, ['--print', '--mode', 'observe', 'claude'], {
      ALL_PROXY: 'socks5://127.0.0.1:1',
    })
    const url = /^export ANTHROPIC_BASE_URL='(.*)'$/m.exec(outer.stdout)?.[1] ?? ''

    const inner = await wrapped(folders, url, ['claude', '--', '-p', 'x'], { SAID: 'Hello there;And now?' })
    const printed = await wrapped(folders, url, ['--print', 'claude'])

    const line =
      'Claude Code already goes through a gateway of Pith, so it gets no second one: its sessions are recorded once\n'
    expect(outer.stderr).toMatch(/^ALL_PROXY names a SOCKS proxy, which Pith does not support: /)
    expect(inner).toMatchObject({ code: 7, stderr: line })
    expect(JSON.parse(inner.stdout)).toMatchObject({ url, args: ['-p', 'x'], said: '{"said":"Hi"}' })
    expect(printed).toMatchObject({ code: 0, stdout: '', stderr: line })
    await expectOneSession(folders)
    process.kill(gatewayPid(folders), 'SIGTERM')
    await expectGone(url, folders)
  })

  test('prints the variables for a shell, whose gateway answers while the shell lives: one that is killed starts again, at the same address and in the same session', async () => {
    const folders = configFolders()
    const upstream = await upstreamServer((_, response) => response.end('{"said":"Hi"}'))
    const { stdout, stderr } = await wrapped(folders, upstream, ['--print', '--trigger', 'pith', 'claude'])
    expect(stdout).toContain(`export ${TRIGGER}='183000'`)
    expect(stderr).toContain('Claude Code compacts at 150,000 tokens; alone it compacts 33,000 tokens before')
    const url = /^export ANTHROPIC_BASE_URL='(.*)'$/m.exec(stdout)?.[1] ?? ''
    // As an agent does: it asks again when there is no listener.
    const ask = (...said: string[]) => {
      const body = JSON.stringify({ model: 'm', messages: said.map((content) => ({ role: 'user', content })) })
      const answer = () => fetch(`${url}/v1/messages`, { method: 'POST', body }).then((response) => response.text())
      return expect.poll(() => answer().catch(() => 'nobody'), { timeout: 20_000 }).toBe('{"said":"Hi"}')
    }
    await ask('one')
    const killed = gatewayPid(folders)
    process.kill(killed, 'SIGKILL')
    await ask('one', 'two')
    await expect.poll(() => gatewayPid(folders), { timeout: 20_000 }).not.toBe(killed)
    await expectOneSession(folders)
    process.kill(gatewayPid(folders), 'SIGTERM')
    await expectGone(url, folders)
  })

  test('leaves no process when the gateway cannot start, and says why', async () => {
    const folders = configFolders()
    // The gateway listens before it writes its notice, for which this is not a folder.
    folders.user('')
    writeFileSync(join(dirname(folders.userFile), 'gateways'), '')
    const order = JSON.stringify({ upstreams: {}, agent: 'claude', run: 'r', windows: {}, watch: process.pid })

    const { code, stdout } = await keeper(folders, order)

    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({ problem: expect.stringMatching(/gateways.* cannot be written/) })
  })

  test('names the agents that it knows', async () => {
    const { code, stderr } = await pith(configFolders(), ['wrap', 'vim'])

    expect(code).toBe(1)
    expect(stderr).toContain('claude, codex, opencode, pi, gemini, copilot, qwen')
  })
})

function wrapped(
  folders: ConfigFolders,
  upstream: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  command = ['wrap'],
) {
  const programs = join(folders.home, 'programs')
  mkdirSync(programs, { recursive: true })
  for (const program of ['claude', 'claude-agent-acp']) {
    writeFileSync(join(programs, program), AGENT)
    chmodSync(join(programs, program), 0o755)
  }
  const PATH = [programs, dirname(process.execPath), process.env.PATH].join(':')
  const PITH_HOME = dataOf(folders)
  return pithBeside(folders, [...command, ...args], { PATH, PITH_HOME, ANTHROPIC_BASE_URL: upstream, ...env })
}

/** The process that keeps the gateway of an agent running, until it ends. */
async function keeper({ workspace, home, env }: ConfigFolders, order: string) {
  const child = spawn(process.execPath, [MAIN, 'wrap-gateway'], { cwd: workspace, env: { HOME: home, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(order)
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { stdout, code }
}

/** The process of the newest gateway. Never 0, which as a signal's target is every process of this run. */
function gatewayPid(folders: ConfigFolders): number {
  const notice = readdirSync(join(dataOf(folders), 'gateways')).at(-1) ?? ''
  expect(notice).toMatch(/^[1-9]\d*-/)
  return Number(notice.split('-')[0])
}

function dataOf(folders: ConfigFolders): string {
  return join(folders.home, 'pith')
}

/** Both requests are in one session, with one message each that was new. */
async function expectOneSession(folders: ConfigFolders): Promise<void> {
  const store = await openStore(join(dataOf(folders), 'pith.db'))
  onTestFinished(() => store.close())
  const lengths = async () => (await store.sessions()).sessions.map(({ lastSeq }) => lastSeq)
  await expect.poll(lengths, { timeout: 20_000 }).toEqual([2])
}

/** The gateway looks for its agent twice a second. */
async function expectGone(url: string, folders: ConfigFolders): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 20_000 },
    )
    .toBe('gone')
  await expect.poll(() => readdirSync(join(dataOf(folders), 'gateways')), { timeout: 20_000 }).toEqual([])
}
