import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { call } from '../../gateway/support/world.ts'
import { pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'
import { type ModelServer, startModelServer } from '../../support/model-server/index.ts'

/** A deadline against hanging: each look is a command of its own. */
const PATIENT = { timeout: 30_000 }
const KEY = 'planted-key-9f8e7d6c5b4a'

async function world() {
  const model = await startModelServer({ brain: ({ messages }) => ({ text: `Answer ${messages.length}.` }) })
  onTestFinished(() => model.close())
  return { model, folders: configFolders() }
}

/** Starts the program and waits for the address of its upstream `local`. */
async function start(
  folders: ConfigFolders,
  model: ModelServer,
  env: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Promise<Running> {
  const args = [inject('program'), 'gateway', '--port', '0', '--mode', 'observe', '--upstream', `local=${model.url}`]
  const child = spawn(process.execPath, [...args, ...flags], {
    cwd: folders.workspace,
    env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output: string[] = []
  child.stderr.on('data', (text) => output.push(String(text)))
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      printed += text
      const found = /^ +local +(http\S+)\n/m.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${output.join('')}`)))
  })
  return { child, url, printed, errors: () => output.join('') }
}

type Running = {
  readonly child: ChildProcess
  readonly url: string
  readonly printed: string
  readonly errors: () => string
}

function say(url: string, ...texts: string[]) {
  const messages = texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
  const body = JSON.stringify({ model: 'pith-test', max_tokens: 100, stream: true, messages })
  const headers = { 'content-type': 'application/json', 'x-api-key': KEY, 'anthropic-version': '2023-06-01' }
  return call(`${url}/v1/messages`, { body, headers })
}

async function listed(folders: ConfigFolders): Promise<readonly { id: string; messages?: number }[]> {
  const { stdout } = await pith(folders, ['sessions', '--json'])
  return JSON.parse(stdout)
}

describe('pith gateway', () => {
  it('says at the start that it does not follow ALL_PROXY', async () => {
    const { model, folders } = await world()
    const { errors } = await start(folders, model, { ALL_PROXY: 'socks5://127.0.0.1:1' })
    await expect.poll(errors, PATIENT).toMatch(/^ALL_PROXY names a SOCKS proxy, which Pith does not support: /)
  })

  it('records a session that a killed gateway began and the next one continues, and keeps no key', async () => {
    const { model, folders } = await world()
    const first = await start(folders, model)
    expect(String((await say(first.url, 'Hello gateway')).body)).toContain('Answer 1.')
    await vi.waitFor(async () => expect(await listed(folders)).toHaveLength(1), PATIENT)
    await vi.waitFor(async () => {
      expect((await pith(folders, ['gateway', 'status'])).stdout).toContain('/v1/messages')
    }, PATIENT)
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const second = await start(folders, model)
    expect(String((await say(second.url, 'Hello gateway', 'Answer 1.', 'More')).body)).toContain('Answer 3.')
    const [session, ...others] = await listed(folders)
    expect(others).toEqual([])
    await vi.waitFor(async () => {
      const { stdout } = await pith(folders, ['export', session?.id ?? '', '--to', 'markdown'])
      for (const words of ['Hello gateway', 'Answer 1.', 'More', 'Answer 3.']) expect(stdout).toContain(words)
    }, PATIENT)
    const prefix = new URL(second.url).pathname.split('/')[1] ?? ''
    if (process.platform === 'linux')
      expect(readFileSync(`/proc/${second.child.pid}/cmdline`, 'utf8')).not.toContain(prefix)
    second.child.kill('SIGTERM')
    await once(second.child, 'exit')
    expect(model.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY])
    expect(first.errors() + second.errors()).toBe('')
    const kept = readdirSync(folders.env.PITH_HOME ?? '', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    expect(kept.length).toBeGreaterThan(0)
    for (const text of kept) expect(text).not.toContain(KEY)
    // The bill of the day stays after the gateway has ended.
    const { stdout } = await pith(folders, ['gateway', 'status'])
    expect(stdout).toMatch(/^No gateway is running\.\n\nday /)
    expect(stdout).not.toContain(KEY)
  })

  it('prints all that Claude Code needs: at Anthropic also the variable that keeps its features', async () => {
    const { model, folders } = await world()
    const [own, other] = await Promise.all([
      start(folders, model),
      start(configFolders(), model, {}, ['--upstream', `anthropic=${model.url}`]),
    ])
    expect(own.printed).toMatch(
      /^ +Claude Code +ANTHROPIC_BASE_URL=http\S+\/anthropic _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1$/m,
    )
    expect(other.printed).toMatch(/^ +Claude Code +ANTHROPIC_BASE_URL=http\S+\/anthropic$/m)
  })

  it('refuses an upstream that is not an address', async () => {
    const { code, stderr } = await pith(configFolders(), ['gateway', '--upstream', 'local=8080'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Write NAME=URL') })
  })
})
