import { expect, it, onTestFinished } from 'vitest'
import { observe, rewriteMode } from '../../../src/gateway/modes/modes.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { SIDE_HOLDER } from '../../../src/store/store.ts'
import { startModelServer } from '../../support/model-server/index.ts'
import { FakeAgent } from '../support/fake-agent.ts'
import { call, gatewayWorld } from '../support/world.ts'

const headers = { 'content-type': 'application/json', 'user-agent': 'opencode/1.18.18' }

const STREAMED = { stream: true, stream_options: { include_usage: true } }

it.each(['observe', 'rewrite'] as const)(
  'requests for a title are counted and are not sessions, in mode %s',
  async (name) => {
    const model = await startModelServer({ brain: () => ({ text: 'Parser work' }) })
    onTestFinished(() => model.close())
    const store = await openStore(':memory:')
    const shared = { store, key: Buffer.alloc(32), owner: 'local', holder: 'test:1', clock: Date.now }
    const deps = { ...shared, policy: {}, summaries: 'none' as const, configured: async () => [] }
    const mode = name === 'observe' ? observe : rewriteMode({ ...deps, modelInfo: () => ({ contextWindow: 20_000 }) })
    const { url, requests } = await gatewayWorld(model.url, { ...shared, mode })
    const title = (words: string) =>
      call(`${url}/v1/chat/completions`, {
        headers,
        body: JSON.stringify({
          model: 'm',
          ...STREAMED,
          messages: [{ role: 'user', content: `Write a title: ${words}` }],
        }),
      })
    await title('Fix the parser')
    const agent = new FakeAgent('openai-chat', url, () => '', headers)
    await agent.turn('Fix the parser')
    await title('Fix the parser')
    await agent.turn('Go on')
    expect((await requests()).map(({ session }) => session !== undefined)).toEqual([false, true, false, true])
    const { sessions } = await store.sessions()
    expect(sessions.map(({ title: words }) => words)).toEqual(['Fix the parser'])
    const [side] = (await store.sessions({ holder: SIDE_HOLDER })).sessions
    const { entries } = await store.entries(side?.id ?? '')
    expect(entries).toMatchObject([
      { type: 'void', model: 'local/m', usage: { outputTokens: expect.any(Number) } },
      { type: 'void' },
    ])
    expect(JSON.stringify(entries)).not.toContain('parser')
  },
)
