import { expect, test } from 'vitest'
import { WRAPPED_AGENTS } from '../../../src/gateway/wrap/agents.ts'
import { isBehindGateway, type WrapPlan } from '../../../src/gateway/wrap/wrapped-agent.ts'

const RUNNING = [{ port: 5000 }]

test.each(['127.0.0.1', 'localhost', '[::1]'])(
  'an agent whose provider is set to a running gateway at %s is behind it',
  (host) => {
    expect(isBehindGateway(planOf('claude', { ANTHROPIC_BASE_URL: `http://${host}:5000/p/anthropic` }), RUNNING)).toBe(
      true,
    )
    expect(isBehindGateway(planOf('claude', { ANTHROPIC_BASE_URL: `http://${host}:5001` }), RUNNING)).toBe(false)
  },
)

test('an opencode or pi with one provider set to a gateway is not behind it with the others', () => {
  const url = 'http://127.0.0.1:5000/p/local'
  const provider = { local: { options: { baseURL: url } } }
  const models = JSON.stringify({ providers: { local: { baseUrl: url } } })
  expect(isBehindGateway(planOf('opencode', { OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider }) }), RUNNING)).toBe(
    false,
  )
  expect(isBehindGateway(planOf('pi', {}, models), RUNNING)).toBe(false)
})

test('an opencode inside a wrapped one is behind its gateway', () => {
  const outer = planOf('opencode', {})
  const urlOf = (name: string) => `http://127.0.0.1:5000/p/${name}`
  const { env } = outer.start({ urlOf, openUrlOf: urlOf, secret: 'p' })
  expect(isBehindGateway(outer, RUNNING)).toBe(false)
  expect(isBehindGateway(planOf('opencode', env), RUNNING)).toBe(true)
})

function planOf(name: string, env: NodeJS.ProcessEnv, file?: string): WrapPlan {
  const plan = WRAPPED_AGENTS.find((agent) => agent.name === name)?.plan({
    env,
    args: [],
    homeFile: (path) => (path.endsWith('models.json') ? file : undefined),
    projectFile: () => undefined,
    mcp: { command: 'node', args: [] },
    piExtension: '/pith/pi-extension.js',
  })
  if (plan === undefined || 'leftAlone' in plan) throw new Error(`${name} is left alone`)
  return plan
}
