import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../../src/config/index.ts'
import { trustWorkspace } from '../../../src/config/places/trust.ts'
import { FILE_KEYS } from '../../../src/config/tables/file-schema.ts'
import { configFolders } from '../../support/config-folders.ts'

describe('the order of sources', () => {
  it('has a default for what nothing sets', () => {
    const { settings, untrusted } = configFolders().load()
    expect(settings).toEqual({
      permissions: 'ask',
      sandbox: 'on',
      sandboxOpen: [],
      policy: { preset: 'pith' },
      providers: {},
      models: [],
      hooks: {},
      stepLimit: 200,
      taskSteps: 60,
      taskTokens: 3_000_000,
      taskCost: 2,
      instructions: true,
      memory: true,
      theme: 'auto',
      notify: 'bell',
      checkpointMb: 500,
      mcp: {},
      server: {},
      gateway: {},
    })
    expect(untrusted).toEqual([])
  })

  it('lets the user file, the project file, the environment and flags each win over what came before', () => {
    const folders = configFolders()
    expect(sourceOf(folders.load(), 'theme')).toEqual(['auto', 'default'])
    folders.user('theme: dark')
    expect(sourceOf(folders.load(), 'theme')).toEqual(['dark', `user file ${folders.userFile}`])
    folders.project('theme: light')
    expect(sourceOf(folders.load(), 'theme')).toEqual(['light', `project file ${folders.projectFile}`])
    const env = { PITH_THEME: 'none' }
    expect(sourceOf(folders.load({ env }), 'theme')).toEqual(['none', 'environment PITH_THEME'])
    expect(sourceOf(folders.load({ env, flags: { theme: 'dark' } }), 'theme')).toEqual(['dark', 'flag --theme'])
  })

  it('mixes tables value by value', () => {
    const folders = configFolders()
    folders.user('policy: { preset: koda, keep_messages: 7, mode: ask }\nmodels: [{ provider: a, model: one }]')
    folders.project('policy: { mode: "off" }\nmodels: [{ provider: a, model: two, context_window: 5 }]')
    const { settings } = folders.load({ env: { PITH_POLICY: 'kit' } })
    expect(settings.policy).toEqual({ preset: 'kit', keepMessages: 7, mode: 'off' })
    expect(settings.models).toEqual([
      { provider: 'a', model: 'one' },
      { provider: 'a', model: 'two', contextWindow: 5 },
    ])
  })

  it('takes an empty variable and a key without a value as not set', () => {
    const folders = configFolders()
    folders.user('theme: dark\nmodel:\npolicy:\n')
    const { settings } = folders.load({ env: { PITH_THEME: '' } })
    expect(settings).toMatchObject({ theme: 'dark', policy: { preset: 'pith' } })
    expect(settings.model).toBeUndefined()
  })
})

describe('a configuration file', () => {
  it('sets everything there is', () => {
    const folders = configFolders()
    folders.user(`
model: ollama/qwen3:8b
permissions: auto-edit
sandbox: no-network
sandbox_open: [~/.aws]
policy: { trigger_percent: 60 }
providers:
  ollama: { kind: openai-compatible, base_url: 'http://127.0.0.1:9/v1', api_key: k, api_key_env: K, headers: { X-A: b } }
models: [{ provider: ollama, model: 'qwen3:8b', context_window: 40960, price: { input: 0, output: 0 } }]
hooks: { before_compaction: { command: ./check.sh, timeout_ms: 500 }, after_compaction: { command: say done } }
step_limit: 12
task_steps: 5
task_tokens: 90000
task_cost: 0.5
store: sessions.db
instructions: false
memory: false
theme: light
notify: off
checkpoint_mb: 20
mcp: { docs: { url: 'https://a.example/mcp', timeout_ms: 500 } }
server: { port: 1 }
gateway: { port: 2 }
`)
    expect(folders.load().settings).toEqual({
      model: 'ollama/qwen3:8b',
      permissions: 'auto-edit',
      sandbox: 'no-network',
      sandboxOpen: ['~/.aws'],
      policy: { preset: 'pith', triggerPercent: 60 },
      providers: {
        ollama: {
          kind: 'openai-compatible',
          baseUrl: 'http://127.0.0.1:9/v1',
          apiKey: 'k',
          apiKeyEnv: 'K',
          headers: { 'X-A': 'b' },
        },
      },
      models: [{ provider: 'ollama', model: 'qwen3:8b', contextWindow: 40960, prices: { input: 0, output: 0 } }],
      hooks: {
        beforeCompaction: { command: './check.sh', timeoutMs: 500 },
        afterCompaction: { command: 'say done' },
      },
      stepLimit: 12,
      taskSteps: 5,
      taskTokens: 90_000,
      taskCost: 0.5,
      store: join(folders.userFile, '..', 'sessions.db'),
      instructions: false,
      memory: false,
      theme: 'light',
      notify: 'off',
      checkpointMb: 20,
      mcp: { docs: { url: 'https://a.example/mcp', timeoutMs: 500 } },
      server: { port: 1 },
      gateway: { port: 2 },
    })
  })

  it('A10: sets the policy by its three own names, at the top or in its table', () => {
    const folders = configFolders()
    const set = { preset: 'pith', tokenLimit: 9000, prompt: 'Sum up {messages}', keepMessages: 0 }
    folders.user('model_auto_compact_token_limit: 9000\ncompact_prompt: Sum up {messages}\npreserve_count: 0')
    expect(folders.load().settings.policy).toEqual(set)
    folders.user(
      'policy: { model_auto_compact_token_limit: 9000, compact_prompt: "Sum up {messages}", preserve_count: 0 }',
    )
    expect(folders.load().settings.policy).toEqual(set)
  })

  it('may be JSON', () => {
    const folders = configFolders()
    folders.user('{ "theme": "dark", "policy": { "mode": "off" } }')
    expect(folders.load().settings).toMatchObject({ theme: 'dark', policy: { mode: 'off' } })
  })

  it('is found from any folder of the workspace, below the home folder', () => {
    const folders = configFolders()
    folders.project('theme: dark')
    const deep = join(folders.workspace, 'src', 'deep')
    mkdirSync(deep, { recursive: true })
    expect(folders.load({ cwd: deep })).toMatchObject({ workspace: folders.workspace, settings: { theme: 'dark' } })
    mkdirSync(join(folders.home, '..', '.git'))
    expect(folders.load({ cwd: folders.home }).workspace).toBe(folders.home)
    mkdirSync(join(folders.home, '.pith'))
    mkdirSync(join(folders.home, 'notes'))
    expect(folders.load({ cwd: join(folders.home, 'notes') }).workspace).toBe(join(folders.home, 'notes'))
  })

  it('names one workspace the same through a symbolic link', () => {
    const folders = configFolders()
    symlinkSync(folders.workspace, join(folders.home, 'link'))
    expect(folders.load({ cwd: join(folders.home, 'link') }).workspace).toBe(folders.workspace)
  })

  it('counts as the user’s own when it is the user file and the project file at once', () => {
    const folders = configFolders()
    folders.project('permissions: full')
    const config = folders.load({ env: { PITH_HOME: join(folders.workspace, '.pith') } })
    expect(config.settings.permissions).toBe('full')
    expect(config.untrusted).toEqual([])
  })
})

describe('the place of the store', () => {
  it('is relative to the file that names it', () => {
    const folders = configFolders()
    const deep = join(folders.workspace, 'deep')
    mkdirSync(deep)
    expect(folders.load({ cwd: deep, env: { PITH_STORE: 'a #1.db' } }).settings.store).toBe(join(deep, 'a #1.db'))
    const url = 'postgres://me@db/pith'
    expect(folders.load({ flags: { store: url } }).settings.store).toBe(url)
    expect(folders.load({ flags: { store: ':memory:' } }).settings.store).toBe(':memory:')
  })
})

describe('effective values', () => {
  it('show no secret', () => {
    const folders = configFolders()
    folders.user(`
providers: { x: { api_key: sk-very-secret, headers: { Authorization: Bearer sk-very-secret }, base_url: 'https://me:sk-very-secret@host/v1?api_key=sk-very-secret&v=1' } }
store: postgres://me:sk-very-secret/a@db/pith?password=sk-very-secret
server: { token: sk-very-secret }
gateway: { upstreams: { own: 'https://me:sk-very-secret@models.acme.io/v1' } }
mcp:
  here: { command: serve, env: { API_KEY: sk-very-secret } }
  there: { url: 'https://me:sk-very-secret@mcp.acme.io/mcp?acmeApiKey=sk-very-secret&v=1', headers: { Authorization: Bearer sk-very-secret } }
`)
    const config = folders.load()
    expect(sourceOf(config, 'gateway.upstreams.own')[0]).toBe('https://***@models.acme.io/v1')
    expect(JSON.stringify(config.effective())).not.toContain('very-secret')
    expect(sourceOf(config, 'providers.x.api_key')[0]).toBe('***')
    expect(sourceOf(config, 'providers.x.base_url')[0]).toBe('https://***@host/v1?api_key=***&v=1')
    expect(sourceOf(config, 'mcp.there.url')[0]).toBe('https://***@mcp.acme.io/mcp?acmeApiKey=***&v=1')
    expect(sourceOf(config, 'store')[0]).toBe('postgres://me:***@db/pith?password=***')
    expect(config.settings.providers.x?.apiKey).toBe('sk-very-secret')
  })

  it('show the host of an address, whatever is in its path', () => {
    const folders = configFolders()
    folders.user(`
providers: { x: { base_url: 'https://other.host/v1/@api.anthropic.com' } }
mcp: { there: { url: 'https://other.host/?to=@mcp.acme.io' } }
`)
    const config = folders.load()
    expect(sourceOf(config, 'providers.x.base_url')[0]).toBe('https://other.host/v1/@api.anthropic.com')
    expect(sourceOf(config, 'mcp.there.url')[0]).toBe('https://other.host/?to=@mcp.acme.io')
  })

  it('show commands whole, so that nothing hides in what looks like a secret', () => {
    const folders = configFolders()
    folders.user('hooks: { before_compaction: { command: "curl https://a:;evil;@b" } }')
    expect(sourceOf(folders.load(), 'hooks.before_compaction.command')[0]).toBe('curl https://a:;evil;@b')
  })

  it('come in the order of the keys of a file, those of a preset, too', () => {
    const config = configFolders().load({ env: { PITH_POLICY: 'koda' } })
    const tables = config.effective().map(({ key }) => FILE_KEYS.indexOf(key.split('.')[0] ?? ''))
    expect(tables).toEqual(tables.toSorted((a, b) => a - b))
  })

  it('say what comes from a preset', () => {
    const config = configFolders().load({ env: { PITH_POLICY: 'koda' } })
    expect(sourceOf(config, 'policy.preset')).toEqual(['koda', 'environment PITH_POLICY'])
    expect(sourceOf(config, 'policy.keep_messages')).toEqual([4, 'preset koda'])
    expect(sourceOf(configFolders().load(), 'policy.trigger_percent')).toEqual([80, 'default'])
  })
})

function sourceOf(config: Config, key: string): unknown[] {
  const found = config.effective().filter((value) => value.key === key)
  expect(found, key).toHaveLength(1)
  return [found[0]?.value, found[0]?.source]
}

it('a project file that leads out of the workspace is ignored with a notice, and cannot be trusted', () => {
  const folders = configFolders()
  writeFileSync(join(folders.home, 'away.yaml'), 'theme: dark')
  mkdirSync(join(folders.workspace, '.pith'))
  symlinkSync('../../away.yaml', folders.projectFile)
  const { settings, notices } = folders.load()
  const why = `${folders.projectFile} is not read: it leads out of the workspace`
  expect({ theme: settings.theme, notices }).toEqual({ theme: 'auto', notices: [why] })
  expect(() => trustWorkspace(folders.workspace, folders.env)).toThrow(why)
})
