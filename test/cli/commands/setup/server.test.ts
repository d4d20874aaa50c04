import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Home, type ServerProcess, serverHome } from '../../../server/support/processes.ts'
import { pith as run } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'
import { type ModelServer, startModelServer } from '../../../support/model-server/index.ts'

let model: ModelServer
let home: Home
let server: ServerProcess
beforeAll(async () => {
  model = await startModelServer({ brain: () => ({ text: 'ok' }) })
  home = serverHome('unused', model, {}, undefined, { store: undefined })
  server = await home.start(['--quiet'])
})
afterAll(async () => {
  await home?.stop()
  await model?.close()
})

/** A machine that has an agent, and one of its files. */
function machine(agent: string, file = 'none', text?: string) {
  const folders = configFolders()
  const path = join(folders.home, file)
  mkdirSync(dirname(path), { recursive: true })
  if (text !== undefined) writeFileSync(path, text)
  const bin = join(folders.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, agent), '#!/bin/sh\n')
  chmodSync(join(bin, agent), 0o755)
  const env = { PATH: [bin, '/bin', '/usr/bin'].join(delimiter), PITH_TOKEN: home.token }
  return {
    path,
    text: () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    setup: (...args: string[]) => run(folders, ['setup', agent, ...args], env),
  }
}

const FILES = [
  ['claude', '.claude/settings.json', '{ "env": { "A": "1" }, "model": "opus" }\n'],
  ['codex', '.codex/config.toml', 'model = "gpt-5.5"\n\n[tui]\ntheme = "dark"\n'],
  [
    'opencode',
    '.config/opencode/opencode.json',
    '{\n  // mine\n  "provider": { "anthropic": { "options": { "timeout": 5 } } }\n}\n',
  ],
  ['pi', '.pi/agent/models.json', '{"providers":{"local":{"baseUrl":"http://127.0.0.1:1/v1"}}}'],
] as const

describe.each(FILES)('pith setup %s --server', (agent, file, before) => {
  it('adds the address, shows no token, and takes back what it added, with all else of Pith', async () => {
    const { setup, text, path } = machine(agent, file, before)
    const added = await setup('--server', server.url, '--yes')
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining(`goes through ${server.url}`) })
    expect(added.stdout + added.stderr).not.toContain(home.token)
    expect(text()).toContain(`${server.url}/gateway/`)
    expect([text()?.includes(home.token), statSync(path).mode & 0o077]).toEqual(
      agent === 'claude' ? [true, 0] : [false, 0o044],
    )
    expect((await setup('--server', server.url, '--yes')).stderr).toContain('already')
    // The plug-ins come and go with it, and do not change the address.
    expect((await setup('--yes')).code).toBe(0)
    expect(text()).toContain(`${server.url}/gateway/`)
    const removed = await setup('--remove', '--yes')
    expect(removed.code).toBe(0)
    expect(removed.stdout + removed.stderr).not.toContain(home.token)
    expect(text()).toBe(before)
  })
})

it('keeps the features of Claude Code at Anthropic only if the server sends its requests there', async () => {
  const before = '{ "model": "opus" }\n'
  const { setup, text } = machine('claude', '.claude/settings.json', before)
  const name = '_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL'
  const settings = { store: undefined, gateway: { upstreams: { anthropic: model.url } } }
  const elsewhere = serverHome('unused', model, {}, undefined, settings)
  onTestFinished(() => elsewhere.stop())
  const other = await elsewhere.start(['--quiet'])
  const to = ({ url }: ServerProcess, token: string) => setup('--server', url, '--token', token, '--yes')

  expect((await to(server, home.token)).code).toBe(0)
  expect(JSON.parse(text() ?? '').env).toHaveProperty(name, '1')
  expect((await to(other, elsewhere.token)).code).toBe(0)
  expect(JSON.parse(text() ?? '').env).toEqual({
    ANTHROPIC_BASE_URL: `${other.url}/gateway/anthropic`,
    ANTHROPIC_CUSTOM_HEADERS: `x-pith-gateway: ${elsewhere.token}`,
  })
  // Neither the plug-ins nor a second time bring it back.
  for (const args of [[], ['--server', other.url, '--token', elsewhere.token]]) await setup(...args, '--yes')
  expect(text()).not.toContain(name)
  expect((await to(server, home.token)).code).toBe(0)
  expect(JSON.parse(text() ?? '').env).toHaveProperty(name, '1')
  await setup('--remove', '--yes')
  expect(text()).toBe(before)
})

it.each([
  [
    'claude',
    '.claude/settings.json',
    '{ "env": { "ANTHROPIC_BASE_URL": "https://other.example" } }',
    'ANTHROPIC_BASE_URL',
  ],
  ['claude', '.claude/settings.json', '{ "env": { "ANTHROPIC_CUSTOM_HEADERS": "x: y" } }', 'ANTHROPIC_CUSTOM_HEADERS'],
  ['codex', '.codex/config.toml', 'model_provider = "azure"\n', 'model_provider'],
] as const)('%s keeps the address of its user (%s %s)', async (agent, file, before, name) => {
  const { setup, text } = machine(agent, file, before)
  const refused = await setup('--server', server.url, '--yes')
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^pith: \\S+ has its own ${name}: [^\\n]+\\n$`)),
  })
  expect(text()).toBe(before)
  await setup('--remove', '--yes')
  expect(text()).toBe(before)
})

it('sends the token to no address of the user', async () => {
  const before = '{ "provider": { "anthropic": { "options": { "baseURL": "https://other.example/v1" } } } }\n'
  const { setup, text } = machine('opencode', '.config/opencode/opencode.json', before)
  expect((await setup('--server', server.url, '--yes')).code).toBe(0)
  const { provider } = JSON.parse(text() ?? '')
  expect(provider.anthropic.options).toEqual({ baseURL: 'https://other.example/v1' })
  expect(provider.openai.options.headers).toEqual({ 'x-pith-gateway': '{env:PITH_TOKEN}' })
})

it.each(['gemini', 'copilot', 'qwen'])('prints the variables of %s, without the token', async (agent) => {
  const { stdout, code } = await machine(agent).setup('--server', server.url)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^(?:export \w+="[^"\n]+"\n)+$/)
  expect([
    stdout.includes(`${server.url}/gateway/`),
    stdout.includes('$PITH_TOKEN'),
    stdout.includes(home.token),
  ]).toEqual([true, true, false])
})

it('refuses an address without a server, a wrong token, and flags that do not go together', async () => {
  const { setup } = machine('claude')
  for (const args of [
    ['--server', 'http://127.0.0.1:9'],
    ['--server', server.url, '--token', 'wrong'],
  ])
    expect(await setup(...args, '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pith: no gateway answers at [^\n]+\n$/),
    })
  expect(await setup('--server', server.url, '--remove')).toMatchObject({ code: 2 })
})
