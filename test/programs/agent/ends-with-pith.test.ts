import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSandbox } from '../../../src/agent/sandbox/sandbox.ts'
import { serverHome } from '../../server/support/processes.ts'
import { full } from '../../support/full.ts'
import { STDIO_SERVER } from '../../support/mcp-servers.ts'
import { startModelServer } from '../../support/model-server/index.ts'
import { runWorld } from '../../support/run-world.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready } from '../../tui/support/fixture.ts'
import { realProgram } from '../../tui/support/real-program.ts'
import { hasTmux, NO_TMUX } from '../../tui/support/tmux.ts'

const hasSandbox = (await openSandbox('on', realpathSync(tmpdir()), process.env)) !== undefined
const isLinux = process.platform === 'linux'
if (!hasTmux) console.warn(NO_TMUX)
if (!hasSandbox) console.warn('Not tried behind the wall: no sandbox works here.')
if (!isLinux)
  console.warn('Processes in sessions of their own are not tried: only Linux shows the environment of a process.')

const WALLS = hasSandbox ? (['on', 'off'] as const) : (['off'] as const)
type Wall = (typeof WALLS)[number]

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGKILL'] as const
/** The short form tries each way to end once. */
const TERMINAL_WAYS = { on: ['SIGKILL'], off: ['closed window'] } as const
const RUN_SIGNALS = { on: ['SIGTERM'], off: ['SIGHUP'] } as const

/** Time enough for a shell to look twice, on a machine that does other things, too. */
const DEADLINE = { timeout: 20_000, interval: 50 }
let count = 0

/** A number of seconds that no other process sleeps for. */
function newToken(): string {
  return `600.${process.pid}${++count}`
}

/** The processes that have the token in their command line. */
function living(token: string): string[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(token) && !/^\s*\d+\s+Z/.test(line))
}

/** First something that a command leaves, then a command in the background, then a command with children, grandchildren and orphans that does not end. */
function steps(token: string, wall: Wall) {
  const nap = `sleep ${token}`
  const quiet = '> /dev/null 2>&1 &'
  const ownSessions = isLinux ? [`setsid ${nap} &`, `(setsid sh -c '${nap} & ${nap}' &)`, `nohup ${nap} ${quiet}`] : []
  // Without a sandbox only the environment shows where a process comes from.
  const unmarked = wall === 'on' ? [`(env -i "$(command -v setsid)" ${nap} &)`] : []
  const tree = [
    `${nap} &`,
    `bash -c '${nap} & (${nap} &); wait' &`,
    `bash -c 'trap "" TERM HUP; ${nap}; ${nap}' &`,
    ...ownSessions,
    ...unmarked,
    'wait',
  ]
  const background = isLinux ? `setsid ${nap} ${quiet}` : `${nap} ${quiet}`
  return {
    calls: [
      calling('bash', { command: `${background}\n:` }),
      calling('bash', { command: [...unmarked, nap].join('\n'), background: true }),
      calling('bash', { command: tree.join('\n') }),
    ],
    // Each of the tree and of the command in the background sleeps. So does what a command left, except in a sandbox: there it has ended with its command.
    sleepers: 5 + (isLinux ? 4 : 0) + 2 * unmarked.length + (wall === 'on' ? 0 : 1),
  }
}

async function runs(token: string, sleepers: number): Promise<void> {
  const asleep = () => living(token).filter((line) => /\ssleep /.test(line.replace(/\s(ba)?sh -c.*/, ''))).length
  await expect.poll(asleep, DEADLINE).toBeGreaterThanOrEqual(sleepers)
}

async function hasEnded(token: string): Promise<void> {
  await expect.poll(() => living(token), DEADLINE).toEqual([])
}

/** A server with a child that does not end with it. */
function mcpServer(token: string) {
  const { command, args } = STDIO_SERVER
  return { command: 'sh', args: ['-c', `sleep ${token} & exec "$0" "$@"`, command, ...args] }
}

describe.skipIf(!hasTmux)('all that the terminal agent started ends with it', () => {
  for (const wall of WALLS)
    it.each(full ? (['SIGHUP', 'SIGTERM', 'SIGKILL', 'closed window'] as const) : TERMINAL_WAYS[wall])(
      `after %s, sandbox ${wall}`,
      async (way) => {
        const token = newToken()
        const { calls, sleepers } = steps(token, wall)
        const mcp = { kept: mcpServer(token) }
        const { at } = await ready(scriptedBrain({ steps: calls }), { permissions: 'full', mcp })
        const { terminal, pid } = realProgram(at, { env: { PITH_SANDBOX: wall } })
        await terminal.sees('%')
        terminal.type('do it')
        terminal.press('Enter')
        await runs(token, sleepers + 1)
        if (way === 'closed window') terminal.close()
        else process.kill(pid(), way)
        await hasEnded(token)
      },
    )
})

describe('all that pith run started ends with it', () => {
  for (const wall of WALLS)
    it.each(full ? SIGNALS : RUN_SIGNALS[wall])(`after %s, sandbox ${wall}`, async (signal) => {
      const token = newToken()
      const { calls, sleepers } = steps(token, wall)
      const config = `mcp: ${JSON.stringify({ kept: mcpServer(token) })}`
      const world = await runWorld({ brain: scriptedBrain({ steps: calls }), config })
      const run = world.start(['run', '--permissions', 'full', 'Do it.'], { env: { PITH_SANDBOX: wall } })
      await runs(token, sleepers + 1)
      run.child.kill(signal)
      await hasEnded(token)
      await run.ended
    })

  it('when it ends by itself, also what runs in the background', async () => {
    const token = newToken()
    const left = calling('bash', { command: `sleep ${token} > /dev/null 2>&1 &` })
    const job = calling('bash', { command: `sleep ${token}`, background: true })
    const world = await runWorld({ brain: scriptedBrain({ steps: [left, job] }) })
    expect(await world.pith('run', '--sandbox', 'off', '--permissions', 'full', 'Do it.')).toMatchObject({ code: 0 })
    expect(living(token)).toEqual([])
  })
})

describe('all that a turn of pith serve started ends with it', () => {
  it.each(full ? SIGNALS : (['SIGTERM'] as const))('after %s', async (signal) => {
    const token = newToken()
    const { calls, sleepers } = steps(token, hasSandbox ? 'on' : 'off')
    const model = await startModelServer({ brain: scriptedBrain({ steps: calls }) })
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-ends-')))
    const home = serverHome(join(folder, 'pith.db'), model, {
      workspaces: { code: { path: folder, permissions: 'full' } },
    })
    onTestFinished(async () => {
      await home.stop()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const server = await home.start()
    const { body } = await server.ask('POST', '/v1/sessions', { workspace: 'code' })
    const turn = server.stream('POST', `/v1/sessions/${body.id}/turn`, { text: 'Do it.' }).catch(() => undefined)
    await runs(token, sleepers)
    process.kill(server.pid, signal)
    await hasEnded(token)
    await turn
  })
})
