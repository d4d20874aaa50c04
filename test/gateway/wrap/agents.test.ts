import { describe, expect, test } from 'vitest'
import { WRAPPED_AGENTS } from '../../../src/gateway/wrap/agents.ts'
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

describe('an agent whose bill would go to another account', () => {
  test.each([
    ['codex', {}, { '.codex/auth.json': '{"OPENAI_API_KEY":null,"tokens":{"access_token":"t"}}' }, /ChatGPT/],
    ['codex', { OPENAI_API_KEY: 'sk-1' }, { '.codex/auth.json': '{"tokens":{"access_token":"t"}}' }, /ChatGPT/],
    ['codex', { CODEX_HOME: '/c' }, { '/c/auth.json': '{"tokens":{"access_token":"t"}}' }, /ChatGPT/],
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

test("the agent's own trigger is moved if it has a setting, and stays if the user has set it", () => {
  expect(startOf('claude').env).toMatchObject({
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: '125000',
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '80',
  })
  expect(startOf('claude', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300000' }).env).not.toHaveProperty(
    'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE',
  )
  expect(startOf('codex', { OPENAI_API_KEY: 'k' }).args).toContain('model_auto_compact_token_limit=100000')
  const limited = { '.codex/config.toml': 'model_auto_compact_token_limit = 64000\n' }
  expect(startOf('codex', { OPENAI_API_KEY: 'k' }, limited).args.join()).not.toContain('token_limit')
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
    /^mcp_servers\.pith=\{"command"="\/bin\/node","args"=\["\/pith\/main\.js","mcp"\],"env_vars"=\["PITH_WRAPPED",/,
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

function planOf(name: string, env: NodeJS.ProcessEnv = {}, files: Files = {}): WrapPlan | LeftAlone {
  const world: AgentWorld = {
    env,
    homeFile: (path) => files[path],
    projectFile: (path) => files[path.startsWith('/') ? path : `./${path}`],
    mcp: { command: '/bin/node', args: ['/pith/main.js', 'mcp'] },
    piExtension: '/pith/pi-extension.js',
  }
  const agent = WRAPPED_AGENTS.find((each) => each.name === name)
  return agent?.plan(world) ?? { leftAlone: 'unknown' }
}

function startOf(name: string, env: NodeJS.ProcessEnv = {}, files: Files = {}): AgentStart {
  const plan = planOf(name, env, files)
  if ('leftAlone' in plan) throw new Error(plan.leftAlone)
  return plan.start({
    urlOf: (upstream) => `${PREFIXED}/${upstream}`,
    openUrlOf: (upstream) => `http://127.0.0.1:5000/${upstream}`,
    secret: SECRET,
    triggerTokens: 100_000,
  })
}
