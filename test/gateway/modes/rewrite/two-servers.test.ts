import { expect, it, onTestFinished } from 'vitest'
import { rescuingMode, rewriteMode } from '../../../../src/gateway/modes/modes.ts'
import type { RewriteDeps } from '../../../../src/gateway/modes/rewrite/rewriter.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { startModelServer } from '../../../support/model-server/index.ts'
import { conversationIn } from '../../../support/request-bodies.ts'
import { FakeAgent } from '../../support/fake-agent.ts'
import { gatewayWorld } from '../../support/world.ts'

const WINDOW = 20_000
const CHANGES: ReadonlySet<string> = new Set(['compaction', 'mask', 'squeeze'])

/** An agent whose requests go to two gateways in turn. They share the store, but nothing in memory. */
async function world(
  modeOf: typeof rewriteMode,
  { deps, headers }: { deps?: Partial<RewriteDeps>; headers?: Record<string, string> },
) {
  const model = await startModelServer({
    window: WINDOW,
    brain: ({ messages }, number) => {
      const isAsked = messages.at(-1)?.role === 'user'
      const calls = isAsked ? [{ name: 'read', input: { path: `src/file-${number}.ts` } }] : []
      return { text: `Step ${number} of the work on the parser.`, calls }
    },
  })
  onTestFinished(() => model.close())
  const store = await openStore(':memory:')
  const servers = await Promise.all(
    ['one', 'two'].map((leaseHolder) => {
      const shared = { store, key: Buffer.alloc(32), owner: 'local', holder: 'servers', clock: Date.now }
      const summaries = { summaries: 'none' as const, configured: async () => [] }
      const info = { policy: {}, modelInfo: () => ({ contextWindow: WINDOW }) }
      const mode = modeOf({ ...shared, ...summaries, ...info, ...deps, leaseHolder })
      return gatewayWorld(model.url, { ...shared, mode })
    }),
  )
  let asked = 0
  const agent = new FakeAgent(
    'openai-responses',
    () => servers[asked++ % servers.length]?.url ?? '',
    (step) => `// file of step ${step}\n${`const value${step} = compute(${step})\n`.repeat(250)}`,
    headers,
  )
  const entries = async () => {
    const { sessions } = await store.sessions()
    expect(sessions).toHaveLength(1)
    return (await store.entries(sessions[0]?.id ?? '')).entries
  }
  return { model, agent, entries }
}

it('a compaction that one server makes is in the requests of the other', async () => {
  const { model, agent, entries } = await world(rewriteMode, { deps: { policy: { tokenLimit: 8_000 } } })
  for (let turn = 1; turn <= 8; turn++) await agent.turn(`Turn ${turn}: go on with the parser.`)
  expect(model.violations).toEqual([])
  const log = await entries()
  expect(log.filter(({ type }) => type === 'message')).toHaveLength(agent.history.length)
  const conversations = model.requests.map((request) => conversationIn(request).map((item) => JSON.stringify(item)))
  const broken = conversations.slice(1).filter((next, i) => conversations[i]?.some((item, at) => next[at] !== item))
  const compactions = new Set(log.flatMap(({ type, at }) => (CHANGES.has(type) ? [at] : [])))
  expect(compactions.size).toBeGreaterThan(0)
  expect(broken.length).toBeLessThanOrEqual(compactions.size)
})

it('a session that one server has made fit for Codex is not compacted again by the other', async () => {
  const headers = { 'x-codex-turn-metadata': '{"request_kind":"turn"}' }
  const { model, agent, entries } = await world(rescuingMode, { headers })
  for (let turn = 1; !model.requests.some(({ outcome }) => outcome === 'overflow'); turn++)
    await agent.turn(`Turn ${turn}: go on with the parser.`)
  const changes = async () => (await entries()).filter(({ type }) => CHANGES.has(type))
  const made = await changes()
  expect(made.length).toBeGreaterThan(0)
  await agent.turn('Say when it is done.')
  expect(await changes()).toEqual(made)
})
