import { describe, expect, test } from 'vitest'
import { WRAPPED_AGENTS } from '../../../src/gateway/wrap/agents.ts'
import type { OwnTrigger } from '../../../src/gateway/wrap/own-trigger.ts'
import type { AgentStart, AgentWorld, LeftAlone, WrapPlan } from '../../../src/gateway/wrap/wrapped-agent.ts'

const SECRET = 'hush-hush'
const PREFIXED = `http://127.0.0.1:5000/${SECRET}`

describe('an agent with an API key', () => {
  test.each([
    ['claude', {}, {}],
    ['codex', { OPENAI_API_KEY: 'sk-1' }, {}],
    ['opencode', {}, {}],
    ['pi', {}, {}],
    ['gemini', {}, { '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' }],
    ['copilot', { COPILOT_PROVIDER_BASE_URL: 'https://models.example/v1' }, {}],
    ['qwen', { OPENAI_API_KEY: 'sk-1' }, {}],
  ])('%s is pointed at the gateway, and the secret is in no argument', (name, env, files) => {
    const { env: variables, args } = startOf(name, env, files)

    expect(JSON.stringify(variables)).toContain(SECRET)
    expect(JSON.stringify(args)).not.toContain(SECRET)
  })
})

describe('Codex that is signed in with ChatGPT', () => {
  test.each([
    [{}, { '.codex/auth.json': '{"OPENAI_API_KEY":null,"tokens":{"access_token":"t-1"}}' }],
    [{ OPENAI_API_KEY: 'sk-1' }, { '.codex/auth.json': '{"tokens":{"access_token":"t-1"}}' }],
    [{ CODEX_HOME: '/c' }, { '/c/auth.json': '{"auth_mode":"chatgpt","OPENAI_API_KEY":"k","tokens":{"a":"t-1"}}' }],
  ])('sends its own tokens through the gateway to ChatGPT: %j %j', (env, files) => {
    expect(planOf('codex', env, files)).toMatchObject({
      upstreams: { chatgpt: 'https://chatgpt.com/backend-api/codex' },
      isSubscription: true,
    })
    const start = startOf('codex', env, files)
    const flags = start.args.join(' ')
    expect(flags).toContain('"requires_openai_auth"=true')
    expect(flags).toMatch(/"base_url"="http:[^"]*\/chatgpt"/)
    expect(JSON.stringify(start)).not.toContain('t-1')
  })

  test('pays with its API key if its sign-in says so', () => {
    const auth = '{"auth_mode":"apikey","OPENAI_API_KEY":"sk-1","tokens":{"access_token":"t"}}'
    expect(planOf('codex', {}, { '.codex/auth.json': auth })).toMatchObject({
      upstreams: { openai: expect.anything() },
    })
  })
})

describe('what an agent does not do at the address of a gateway', () => {
  const models = (providers: object) => ({ '.pi/agent/models.json': JSON.stringify({ providers }) })
  const router = { baseUrl: 'https://openrouter.ai/api/v1', models: [{ id: 'm' }] }

  test.each([
    ['codex', { OPENAI_API_KEY: 'sk-1' }, {}, /compaction by OpenAI itself/],
    ['pi', {}, models({ mine: router }), /for mine because of the address/],
  ])('%s is in its plan', (name, env, files, line) => {
    expect(planOf(name, env, files)).toMatchObject({ turnsOff: expect.stringMatching(line) })
  })

  test.each([
    ['claude', {}],
    ['opencode', {}],
    ['pi', models({ openrouter: router })],
    ['pi', models({ mine: { ...router, compat: {} } })],
    ['pi', models({ mine: { baseUrl: 'http://localhost:11434/v1' } })],
  ])('%s has nothing to say if nothing is off: %j', (name, files) => {
    const plan = planOf(name, {}, files)
    expect('leftAlone' in plan ? plan : plan.turnsOff).toBeUndefined()
  })
})

describe('an agent whose bill would go to another account', () => {
  test.each([
    ['codex', {}, { '.codex/auth.json': '{"OPENAI_API_KEY":"sk-1","tokens":{"access_token":"t"}}' }, /ChatGPT/],
    ['codex', { CODEX_API_KEY: 'sk-1' }, { '.codex/auth.json': '{"tokens":{"access_token":"t"}}' }, /CODEX_API_KEY/],
    ['gemini', {}, { '.gemini/settings.json': '{"security":{"auth":{"selectedType":"oauth-personal"}}}' }, /oauth/],
    ['copilot', {}, {}, /subscription/],
    ['qwen', {}, { '.qwen/settings.json': '{"security":{"auth":{"selectedType":"qwen-oauth"}}}' }, /qwen-oauth/],
  ])('%s is left alone, and the reason is given', (name, env, files, reason) => {
    expect(planOf(name, env, files)).toMatchObject({ leftAlone: expect.stringMatching(reason) })
  })
})

test.each([
  ['./.claude/settings.local.json', {}],
  ['/c/settings.json', { CLAUDE_CONFIG_DIR: '/c' }],
  ['/etc/claude-code/managed-settings.json', {}],
])('Claude Code is left alone when its settings send it elsewhere: %s', (file, env) => {
  const settings = (name: string, value: unknown) => ({ [file]: JSON.stringify({ env: { [name]: value } }) })
  expect(planOf('claude', env, settings('ANTHROPIC_BASE_URL', 'https://m.example'))).toHaveProperty('leftAlone')
  for (const on of ['1', 1, true])
    expect(planOf('claude', env, settings('CLAUDE_CODE_USE_BEDROCK', on))).toHaveProperty('leftAlone')
  for (const off of ['0', 0, 'false', ''])
    expect(planOf('claude', env, settings('CLAUDE_CODE_USE_BEDROCK', off))).toHaveProperty('upstreams')
  expect(planOf('claude', env, settings('EDITOR', 'vi'))).toHaveProperty('upstreams')
})

test('the gateway sends requests on to an address that the user has set', () => {
  expect(planOf('claude', { ANTHROPIC_BASE_URL: 'https://models.example' })).toMatchObject({
    upstreams: { anthropic: 'https://models.example' },
  })
  expect(
    planOf('codex', { OPENAI_API_KEY: 'k' }, { '.codex/config.toml': 'openai_base_url = "https://m.example"\n' }),
  ).toMatchObject({
    upstreams: { openai: 'https://m.example' },
  })
})

test('providers of the user’s own go through the gateway, with their own paths', () => {
  const provider = {
    local: { options: { baseURL: 'http://127.0.0.1:8000/v1' } },
    anthropic: { options: { baseURL: 'https://proxy.example/claude' } },
    later: { options: { baseURL: '{env:LATER}' } },
  }
  const opencode = { '.config/opencode/opencode.json': JSON.stringify({ provider }) }
  const local = { local: 'http://127.0.0.1:8000/v1', anthropic: 'https://proxy.example/claude' }
  expect(planOf('opencode', {}, opencode)).toHaveProperty('upstreams', local)
  const { env } = startOf('opencode', {}, opencode)
  expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toMatchObject({
    provider: {
      anthropic: { options: { baseURL: `${PREFIXED}/anthropic` } },
      openai: { options: { baseURL: `${PREFIXED}/openai/v1` } },
      google: { options: { baseURL: `${PREFIXED}/google/v1beta` } },
      local: { options: { baseURL: `${PREFIXED}/local` } },
    },
  })

  const models = { providers: { local: { baseUrl: local.local }, anthropic: { baseUrl: local.anthropic }, openai: {} } }
  const pi = { '.pi/agent/models.json': JSON.stringify(models) }
  expect(planOf('pi', {}, pi)).toHaveProperty('upstreams', local)
  expect(JSON.parse(startOf('pi', {}, pi).env.PITH_GATEWAY_URLS ?? '')).toEqual({
    anthropic: `${PREFIXED}/anthropic`,
    openai: `${PREFIXED}/openai/v1`,
    google: `${PREFIXED}/google/v1beta`,
    local: `${PREFIXED}/local`,
  })
})

test('an agent whose settings go before the variable is left alone', () => {
  const files = { '.claude/settings.json': '{"env":{"ANTHROPIC_BASE_URL":"https://models.example"}}' }

  expect(planOf('claude', {}, files)).toHaveProperty('leftAlone')
})

test('a provider of Codex in a table does not count as the chosen one', () => {
  const chosen = { '.codex/config.toml': 'model_provider = "other" # mine\n' }
  const listed = { '.codex/config.toml': 'model = "x"\n[profiles.a]\nmodel_provider = "other"\n' }

  expect(planOf('codex', { OPENAI_API_KEY: 'k' }, chosen)).toMatchObject({
    leftAlone: expect.stringContaining('other'),
  })
  expect(planOf('codex', { OPENAI_API_KEY: 'k' }, listed)).toHaveProperty('upstreams')
})

describe("the agent's own trigger", () => {
  const KEY = { OPENAI_API_KEY: 'k' }
  const OPENCODE = {
    '.config/opencode/opencode.json': JSON.stringify({
      model: 'local/test',
      provider: { local: { models: { test: { limit: { context: 200_000, output: 8_000 } } } } },
    }),
  }

  test('is moved by a setting of the agent if Pith names the tokens, and stays otherwise', () => {
    // Claude Code compacts 33,000 tokens before the window that it is given.
    expect(startOf('claude', {}, {}, 100_000).env).toHaveProperty('CLAUDE_CODE_AUTO_COMPACT_WINDOW', '133000')
    expect(startOf('codex', KEY, {}, 100_000).args).toContain('model_auto_compact_token_limit=100000')
    const { env } = startOf('opencode', {}, OPENCODE, 100_000)
    expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toHaveProperty('provider.local.models.test.limit', {
      context: 200_000,
      output: 8_000,
      input: 108_000,
    })
    for (const [name, own, files] of [
      ['claude', {}, {}],
      ['codex', KEY, {}],
      ['opencode', {}, OPENCODE],
    ] as const)
      expect(JSON.stringify(startOf(name, own, files)), name).not.toMatch(/WINDOW|token_limit|108000/)
  })

  test('has a number where the files of the agent state what it depends on', () => {
    const codex = (toml: string) => triggerOf('codex', KEY, { '.codex/config.toml': toml })
    expect(codex('')).toMatchObject({ tokens: undefined, rule: expect.stringContaining('244,800'), moves: 'yes' })
    expect(codex('model_context_window = 100_000')).toMatchObject({ tokens: 90_000, moves: 'yes' })
    expect(codex('model_auto_compact_token_limit = 64000')).toMatchObject({ tokens: 64_000, moves: 'set by its user' })
    const cache = { '.codex/models_cache.json': '{"models":[{"slug":"gpt-x","context_window":272000}]}' }
    expect(triggerOf('codex', KEY, cache, ['-m', 'gpt-x'])).toMatchObject({ tokens: 244_800 })
    expect(triggerOf('opencode', {}, OPENCODE)).toMatchObject({ tokens: 192_000, moves: 'yes' })
    expect(triggerOf('opencode', {}, OPENCODE, ['--model', 'local/other'])).toMatchObject({ moves: 'no way' })
    const listed = { '.cache/opencode/models.json': '{"a":{"models":{"b":{"limit":{"context":9000,"output":1000}}}}}' }
    expect(triggerOf('opencode', {}, listed, ['-m', 'a/b'])).toMatchObject({ tokens: 8_000 })
    const local = { providers: { local: { baseUrl: 'http://m', models: [{ id: 'test', contextWindow: 100_000 }] } } }
    const pi = { '.pi/agent/models.json': JSON.stringify(local) }
    expect(triggerOf('pi', {}, pi, ['--provider', 'local', '--model', 'test'])).toMatchObject({ tokens: 83_616 })
    expect(triggerOf('pi', {}, pi)).toMatchObject({ tokens: undefined, rule: expect.stringContaining('16,384') })
    expect(triggerOf('claude', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '183000' })).toMatchObject({
      tokens: 150_000,
      moves: 'set by its user',
    })
    expect(triggerOf('claude', { DISABLE_AUTO_COMPACT: '1' })).toMatchObject({ moves: 'set by its user' })
    expect(triggerOf('claude', {}, { '.claude/settings.json': '{"autoCompactWindow":"200k"}' })).toMatchObject({
      moves: 'set by its user',
    })
    expect(triggerOf('claude')).toMatchObject({ tokens: undefined, moves: 'yes' })
  })
})

test('the window of a model comes from the files of the agent, under the name that the provider sees', () => {
  const limit = { context: 64_000, output: 8_000 }
  const provider = { local: { models: { test: { limit }, fast: { id: 'fast-2', limit } } } }
  const opencode = { '.config/opencode/opencode.json': JSON.stringify({ provider }) }
  expect(planOf('opencode', {}, opencode)).toHaveProperty('windows', { 'local/test': 64_000, 'local/fast-2': 64_000 })
  const models = { providers: { local: { models: [{ id: 'a/b', contextWindow: 32_000 }, { id: 'c' }] } } }
  expect(planOf('pi', {}, { '.pi/agent/models.json': JSON.stringify(models) })).toHaveProperty('windows', {
    'local/a/b': 32_000,
  })
  const toml = { '.codex/config.toml': 'model = "gpt-x"\nmodel_context_window = 128_000\n' }
  expect(planOf('codex', { OPENAI_API_KEY: 'k' }, toml)).toMatchObject({
    model: 'openai/gpt-x',
    windows: { 'openai/*': 128_000 },
  })
  expect(planOf('claude', {}, {}, ['--model=claude-sonnet-4-5[1m]'])).toMatchObject({
    model: 'anthropic/claude-sonnet-4-5',
    windows: { 'anthropic/claude-sonnet-4-5': 1_000_000 },
  })
  const copilot = { COPILOT_PROVIDER_BASE_URL: 'https://m/v1', COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '40000' }
  expect(planOf('copilot', copilot)).toHaveProperty('windows', { 'provider/*': 40_000 })
  const qwen = { '.qwen/settings.json': '{"model":{"generationConfig":{"contextWindowSize":90000}}}' }
  expect(planOf('qwen', { OPENAI_API_KEY: 'k' }, qwen)).toHaveProperty('windows', { 'openai/*': 90_000 })
})

test('the addresses of opencode are read from every file that it reads, comments and all', () => {
  const named = (url: string) => `{ // mine\n "provider": { "local": { "options": { "baseURL": "${url}", }, }, }, }`
  const places = [
    '.config/opencode/config.json',
    '.config/opencode/opencode.jsonc',
    '/my/own.jsonc',
    './opencode.jsonc',
  ]
  for (const [i, place] of places.entries()) {
    const files = Object.fromEntries(
      places.slice(0, i + 1).map((name, j) => [name, named(`http://127.0.0.1:${8000 + j}/v1`)]),
    )
    const plan = planOf('opencode', { OPENCODE_CONFIG: '/my/own.jsonc' }, files)
    expect(plan, place).toHaveProperty('upstreams', { local: `http://127.0.0.1:${8000 + i}/v1` })
  }
})

test('a configuration that the user gives opencode in a variable is kept', () => {
  const given = { theme: 'x', provider: { openai: { options: { apiKey: 'k' } } } }

  const { env } = startOf('opencode', { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) })

  expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toMatchObject({
    theme: 'x',
    provider: { openai: { options: { apiKey: 'k', baseURL: `${PREFIXED}/openai/v1` } } },
  })
})

test('an agent that takes an MCP server by a flag or a variable gets recall, and keeps servers of its own', () => {
  expect(startOf('claude').args).toEqual([
    '--mcp-config={"mcpServers":{"pith":{"command":"/bin/node","args":["/pith/main.js","mcp"]}}}',
  ])
  const [server] = startOf('codex', { OPENAI_API_KEY: 'k' }).args.filter((arg) => arg.startsWith('mcp_servers'))
  expect(server).toMatch(
    /^mcp_servers\.pith=\{"command"="\/bin\/node","args"=\["\/pith\/main\.js","mcp"\],"startup_readiness"="catalog","startup_timeout_sec"=20,"env_vars"=\["PITH_WRAPPED",/,
  )
  const given = { mcp: { other: { type: 'local', command: ['other'] } } }
  const { env } = startOf('opencode', { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) })
  expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toHaveProperty('mcp', {
    pith: { type: 'local', command: ['/bin/node', '/pith/main.js', 'mcp'] },
    ...given.mcp,
  })
})

test('Copilot CLI gets it by a flag', () => {
  const [flag = ''] = startOf('copilot', { COPILOT_PROVIDER_BASE_URL: 'https://models.example/v1' }).args
  const server = { type: 'local', command: '/bin/node', args: ['/pith/main.js', 'mcp'], tools: ['*'] }
  expect(flag).toBe(`--additional-mcp-config=${JSON.stringify({ mcpServers: { pith: server } })}`)
})

type Files = Readonly<Record<string, string>>

function planOf(
  name: string,
  env: NodeJS.ProcessEnv = {},
  files: Files = {},
  args: readonly string[] = [],
): WrapPlan | LeftAlone {
  const world: AgentWorld = {
    env,
    args,
    homeFile: (path) => files[path],
    projectFile: (path) => files[path.startsWith('/') ? path : `./${path}`],
    mcp: { command: '/bin/node', args: ['/pith/main.js', 'mcp'] },
    piExtension: '/pith/pi-extension.js',
  }
  const agent = WRAPPED_AGENTS.find((each) => each.name === name)
  return agent?.plan(world) ?? { leftAlone: 'unknown' }
}

function wrapPlanOf(...input: Parameters<typeof planOf>): WrapPlan {
  const plan = planOf(...input)
  if ('leftAlone' in plan) throw new Error(plan.leftAlone)
  return plan
}

function triggerOf(...input: Parameters<typeof planOf>): OwnTrigger {
  return wrapPlanOf(...input).ownTrigger
}

function startOf(name: string, env: NodeJS.ProcessEnv = {}, files: Files = {}, triggerTokens?: number): AgentStart {
  return wrapPlanOf(name, env, files).start({
    urlOf: (upstream) => `${PREFIXED}/${upstream}`,
    openUrlOf: (upstream) => `http://127.0.0.1:5000/${upstream}`,
    secret: SECRET,
    triggerTokens,
  })
}

test('Claude Code keeps the features of its own provider, and only if the gateway passes on to that one', () => {
  const name = '_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL'
  expect(startOf('claude', {}).env).toHaveProperty(name, '1')
  expect(startOf('claude', { ANTHROPIC_BASE_URL: 'https://api.anthropic.com/' }).env).toHaveProperty(name, '1')
  expect(startOf('claude', { ANTHROPIC_BASE_URL: 'models.example' }).env).not.toHaveProperty(name)
  expect(startOf('claude', { ANTHROPIC_BASE_URL: 'https://models.example' }).env).not.toHaveProperty(name)
  expect(startOf('claude', { [name]: '0' }).env).not.toHaveProperty(name)
})
