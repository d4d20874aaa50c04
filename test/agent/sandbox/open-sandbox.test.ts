import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isWritable, sandboxPlaces } from '../../../src/agent/sandbox/places.ts'
import { openSandbox, type Sandbox } from '../../../src/agent/sandbox/sandbox.ts'
import { bash } from '../../../src/agent/tools/bash/bash.ts'
import { shellWord } from '../../../src/model/text.ts'
import { NOTHING_FOUND } from '../../../src/search/hits.ts'
import { agentWorld } from '../../support/agent-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const probe = await openSandbox('on', realpathSync(tmpdir()), process.env)
if (probe === undefined) console.warn('Not tried: no sandbox works here (Linux needs bubblewrap and user namespaces).')

/** A folder that we may write and a sandbox may not: the home, or one of the clone. */
const places = sandboxPlaces({ workspace: realpathSync(tmpdir()), env: process.env })
const closed = [homedir(), join(import.meta.dirname, '../../../node_modules')].find(
  (folder) => mayWrite(folder) && !isWritable(places, realpathSync(folder)),
)
if (closed === undefined) console.warn('The sandbox is not tried: there is no folder that we may write and it may not.')

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

type World = { readonly workspace: string; readonly outside: string; readonly sandbox: Sandbox }

/** A workspace, and a folder that is neither part of it nor a temporary one. */
async function world(setting: 'on' | 'no-network' = 'on'): Promise<World> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pith-sandbox-')))
  const outside = realpathSync(mkdtempSync(join(closed ?? '', '.pith-sandbox-test-')))
  onTestFinished(() => {
    for (const folder of [workspace, outside]) rmSync(folder, { recursive: true, force: true })
  })
  const sandbox = await openSandbox(setting, workspace, process.env)
  if (sandbox === undefined) throw new Error('it worked a moment ago')
  return { workspace, outside, sandbox }
}

const run = (
  { workspace, outside, sandbox }: World,
  command: string,
  more: { outsideSandbox?: true; signal?: AbortSignal } = {},
) => {
  const { signal = new AbortController().signal, ...input } = more
  const recall = { entries: async () => [], search: async () => NOTHING_FOUND }
  return bash.run(
    { command, ...input },
    { workspace, sandbox, signal, env: { ...process.env, OUTSIDE: outside }, seen: () => undefined, recall },
  )
}

describe.skipIf(probe === undefined || closed === undefined)('a command in the sandbox', () => {
  it('writes to the workspace and to temporary folders, and reads everything', async () => {
    const at = await world()
    writeFileSync(join(at.outside, 'seen.txt'), 'can be read\n')
    const { text } = await run(at, `echo hi > a.txt && echo tmp > "$(mktemp)" && cat "$OUTSIDE/seen.txt" a.txt`)
    expect(text).toBe('can be read\nhi\n[exit code: 0]')
    expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('hi\n')
  })

  it('cannot write anywhere else, whatever it tries, and the model reads what to do', async () => {
    const at = await world()
    writeFileSync(join(at.outside, 'kept.txt'), 'kept')
    for (const command of [
      `echo x > "$OUTSIDE/new.txt"`,
      `rm -rf "$OUTSIDE/kept.txt"`,
      `ln -s "$OUTSIDE" way && echo x > way/new.txt`,
      `node -e "require('fs').writeFileSync(process.env.OUTSIDE + '/new.txt', 'x')"`,
      `mv a "$OUTSIDE/" 2>&1 || mkdir "$OUTSIDE/b"`,
      `mount -o remount,rw / ; mount -o remount,rw,bind / ; unshare -Urm mount -o remount,rw / ; touch "$OUTSIDE/new.txt"`,
    ]) {
      const { text } = await run(at, command)
      expect(text, command).toContain('call bash with outsideSandbox: true: the user is asked')
    }
    expect(existsSync(join(at.outside, 'new.txt'))).toBe(false)
    expect(readFileSync(join(at.outside, 'kept.txt'), 'utf8')).toBe('kept')
  })

  it('runs outside when the user has allowed that', async () => {
    const at = await world()
    const { text } = await run(at, `echo x > "$OUTSIDE/new.txt"`, { outsideSandbox: true })
    expect(text).toBe('(no output)\n[exit code: 0]')
    expect(existsSync(join(at.outside, 'new.txt'))).toBe(true)
  })

  it('is one of an agent whose settings want it', async () => {
    const { outside } = await world()
    const file = join(outside, 'new.txt')
    const brain = scriptedBrain({ steps: [calling('bash', { command: `echo x > ${shellWord(file)}` })] })
    const agent = await agentWorld({ brain, settings: { sandbox: 'on' } })
    onTestFinished(() => agent.close())
    await agent.say('Do it.')
    expect(saidTo(agent.server.requests.at(-1)?.request)).toContain('outsideSandbox: true')
    expect(existsSync(file)).toBe(false)
  })

  it('cannot read the data of Pith, whose agent it is', async () => {
    const steps = [calling('bash', { command: 'find "$HOME" -name "pith.d*"; ls "$HOME"; cat "$HOME/data/pith.db"' })]
    const agent = await agentWorld({ brain: scriptedBrain({ steps }), settings: { sandbox: 'on' } })
    onTestFinished(() => agent.close())
    await agent.say('Do it.')
    const said = saidTo(agent.server.requests.at(-1)?.request)
    expect(existsSync(join(agent.folder, 'data/pith.db'))).toBe(true)
    expect(said).toMatch(/data\nwork\ncat: .*data\/pith.db: /)
  })

  it('has the network, unless the setting takes it away', async () => {
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3`
    expect((await run(await world(), command)).text).toContain('hello')
    const walled = await world('no-network')
    expect((await run(walled, command)).text).not.toContain('hello')
    expect((await run(walled, 'echo "curl: (6) Could not resolve host: x"; exit 6')).text).toContain('the network')
  })

  it('is killed with all it started', async () => {
    const at = await world()
    const stop = new AbortController()
    const running = run(at, 'sleep 300 & touch begun; sleep 300', { signal: stop.signal })
    while (!existsSync(join(at.workspace, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 10))
    stop.abort()
    expect((await running).text).toContain('aborted')
  })

  it('ends what it left in the background, and says so only then', async () => {
    const at = await world()
    const command =
      '(while :; do date >> ticks; sleep 0.01; done) > /dev/null 2>&1 & until [ -s ticks ]; do :; done; exit 3'
    const { text } = await run(at, command)
    expect(text).toContain('(what it left in the background was ended with it: use a server in the same command)')
    expect(text).toContain('[exit code: 3]')
    const ticks = readFileSync(join(at.workspace, 'ticks'), 'utf8')
    expect((await run(at, 'sleep 0.2 & wait; cat ticks | wc -c')).text).toBe(`${ticks.length}\n[exit code: 0]`)
  })

  it('sees no process but its own, and no environment of ours', async () => {
    const at = await world()
    const command = 'cat /proc/[0-9]*/environ | grep -ac THE_KEY_OF_A_TEST; kill -0 $OURS || echo unseen; echo $PPID'
    process.env.THE_KEY_OF_A_TEST = 'secret'
    onTestFinished(() => void delete process.env.THE_KEY_OF_A_TEST)
    const { text } = await run(at, `unset THE_KEY_OF_A_TEST; OURS=${process.pid}; ${command}`)
    expect(text).toContain('unseen')
    expect(Number(/(\d+)\n\[exit/.exec(text)?.[1])).toBeLessThan(10)
  })

  it('commits in a worktree whose repository is elsewhere', async () => {
    const at = await world()
    const git = join(at.outside, 'repository')
    mkdirSync(git)
    const set = '-c user.name=a -c user.email=a@b -c commit.gpgsign=false'
    const make = `cd ${shellWord(git)} && git init -q . && git ${set} commit -q --allow-empty -m one && git worktree add -q ${shellWord(join(at.workspace, 'tree'))}`
    const made = await run(at, make, { outsideSandbox: true })
    expect(made.text).toContain('[exit code: 0]')
    const workspace = join(at.workspace, 'tree')
    const sandbox = await openSandbox('on', workspace, process.env)
    if (sandbox === undefined) throw new Error('it worked a moment ago')
    const { text } = await run(
      { ...at, workspace, sandbox },
      `git ${set} commit -q --allow-empty -m two && git log --oneline | wc -l`,
    )
    expect(text).toBe('2\n[exit code: 0]')
  })
})

describe('the setting', () => {
  it('off means no sandbox', async () => {
    expect(await openSandbox('off', realpathSync(tmpdir()), process.env)).toBeUndefined()
  })
})
