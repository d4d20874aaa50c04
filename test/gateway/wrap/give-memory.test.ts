import { describe, expect, it } from 'vitest'
import { type GivenMemory, memoryStart } from '../../../src/gateway/wrap/give-memory.ts'
import type { AgentWorld } from '../../../src/gateway/wrap/wrapped-agent.ts'

const MEMORY: GivenMemory = {
  page: '# Memory\n“use "tabs"”',
  command: 'pith memory start',
  packageFile: (name) => `/p/${name}.js`,
  hooks: '/p/hooks',
}

function world(given: Partial<AgentWorld> = {}): AgentWorld {
  const none = () => undefined
  const mcp = { command: 'pith', args: [] }
  return { env: {}, args: [], homeFile: none, projectFile: none, mcp, piExtension: '', ...given }
}

it('Claude Code runs the command as a hook of a new session', () => {
  const start = memoryStart('claude', MEMORY, world())
  const [flag = ''] = 'args' in start ? start.args : []
  const { hooks } = JSON.parse(flag.replace('--settings=', ''))
  expect(hooks.SessionStart).toEqual([
    { matcher: 'startup|clear', hooks: [{ type: 'command', command: 'pith memory start', timeout: 10 }] },
  ])
})

it('Codex gets the page as its instructions of a developer, in a form that TOML reads', () => {
  expect(memoryStart('codex', MEMORY, world())).toMatchObject({
    args: ['-c', 'developer_instructions="# Memory\\n“use \\"tabs\\"”"'],
  })
})

it('opencode loads a plug-in beside those that its variable names', () => {
  const env = { OPENCODE_CONFIG_CONTENT: '{"model":"m","plugin":["own"]}' }
  const start = memoryStart('opencode', MEMORY, world({ env }))
  expect('env' in start && JSON.parse(start.env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
    model: 'm',
    plugin: ['own', 'file:///p/plugins/opencode/memory.js'],
  })
})

it.each(['claude', 'opencode', 'pi', 'gemini', 'qwen', 'copilot'] as const)(
  'no argument of %s has the page: others on the machine can read them',
  (agent) => {
    const start = memoryStart(agent, MEMORY, world())
    expect(JSON.stringify('args' in start ? start.args : '# Memory')).not.toContain('# Memory')
  },
)

describe('settings of the user stay', () => {
  const codex = (path: string) => (path === '.codex/config.toml' ? 'developer_instructions = "x"' : undefined)
  const system = (path: string) => (path.startsWith('/etc/') ? '{}' : undefined)
  it.each([
    ['claude', { args: ['--settings', 'mine.json'] }],
    ['codex', { args: ['-c', 'developer_instructions=x'] }],
    ['codex', { homeFile: codex }],
    ['gemini', { homeFile: system }],
    ['qwen', { env: { QWEN_CODE_SYSTEM_DEFAULTS_PATH: '/mine.json' } }],
  ] as const)('%s %j', (agent, given) => {
    expect(memoryStart(agent, MEMORY, world(given))).toEqual({ notGiven: expect.stringMatching(/yours|already/) })
  })
})
