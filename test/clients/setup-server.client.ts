import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { serverHome } from '../server/support/processes.ts'
import { startModelServer } from '../support/model-server/index.ts'
import { startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { turn } from './asked.ts'
import { type Client, KEY } from './client.ts'
import { placeClient } from './run-client.ts'

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts')
const OPENCODE = {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
}
const PI_FLAGS = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', '--offline']

/** Each agent as it is without Pith: its own provider, with a key, and nothing that names an address. */
const AGENTS: readonly { readonly name: string; readonly file: string; readonly client: Client }[] = [
  {
    name: 'claude',
    file: '.claude/settings.json',
    client: {
      ...claudeCode,
      setUp: (place) => {
        const { ANTHROPIC_BASE_URL: _, ...env } = claudeCode.setUp(place)
        return env
      },
    },
  },
  {
    name: 'codex',
    file: '.codex/config.toml',
    client: { ...codex, setUp: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), OPENAI_API_KEY: KEY }) },
  },
  {
    name: 'opencode',
    file: '.config/opencode/opencode.json',
    client: {
      ...opencode,
      setUp: () => ({ ANTHROPIC_API_KEY: KEY, ...OPENCODE }),
      start: (prompt) => ['run', '--model', 'anthropic/claude-sonnet-4-5', '--auto', prompt],
    },
  },
  {
    name: 'pi',
    file: '.pi/agent/models.json',
    client: { ...pi, setUp: () => ({ ANTHROPIC_API_KEY: KEY }), start: (prompt) => ['-p', prompt, ...PI_FLAGS] },
  },
]

/** A team's server whose gateway forwards to the test's model. */
async function team() {
  const model = await startAgentModel(() => ({ text: 'Answer.' }))
  onTestFinished(() => model.close())
  const unused = await startModelServer({ brain: () => ({ text: 'ok' }) })
  onTestFinished(() => unused.close())
  const gateway = { upstreams: { anthropic: model.url, openai: `${model.url}/v1` } }
  const home = serverHome(':memory:', unused, {}, undefined, { gateway, policy: {}, store: undefined })
  onTestFinished(() => home.stop())
  return { model, server: await home.start(['--quiet']) }
}

describe.each(AGENTS.map((each) => [each.client.name, each] as const))('%s', (_, { name, file, client }) => {
  it('goes through the team’s server after pith setup --server, and has its own files after --remove', async () => {
    const installed = inject('installed')[client.name]
    if ('problem' in installed) throw new Error(installed.problem)
    const { model, server } = await team()
    const withToken: Client = { ...client, setUp: (place) => ({ ...client.setUp(place), PITH_TOKEN: server.token }) }
    const running = placeClient(withToken, { program: installed.program, url: model.url })
    onTestFinished(running.remove)
    const path = join(running.place.home, file)
    const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
    const before = text()
    const env = {
      ...running.env,
      PATH: [dirname(installed.program), running.env.PATH].join(delimiter),
      PITH_HOME: join(running.place.home, 'pith'),
    }
    const setUp = (...args: string[]) =>
      execFileSync(process.execPath, [MAIN, 'setup', name, ...args, '--yes'], { env, encoding: 'utf8', stdio: 'pipe' })
    expect(setUp('--server', server.url)).not.toContain(server.token)
    expect([text()?.includes(server.token), statSync(path).mode & 0o077]).toEqual(
      name === 'claude' ? [true, 0] : [false, expect.any(Number)],
    )
    const ran = await running.start(turn(1, 'Hello.'))
    expect(ran, ran.stderr + ran.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer.') })
    expect(model.asked.some((asked) => asked.turn === 1)).toBe(true)
    const recorded = async () => (await server.ask('GET', '/v1/sessions')).body.sessions.length
    await expect.poll(recorded, { timeout: 30_000 }).toBeGreaterThan(0)
    setUp('--remove')
    // opencode adds a line of its own to a file that it finds.
    expect(text()?.replace(/\{\s*"\$schema": "[^"]+"\s*\}\s*/, '') || undefined).toBe(before)
  })
})
