import { describe, expect, it, onTestFinished } from 'vitest'
import { rescuingMode } from '../../../../src/gateway/modes/modes.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { startModelServer } from '../../../support/model-server/index.ts'
import { FakeAgent, requestFor } from '../../support/fake-agent.ts'
import { gatewayWorld } from '../../support/world.ts'

const WINDOW = 20_000
const TURN = { 'x-codex-turn-metadata': '{"request_kind":"turn"}' }

/** An agent that never compacts, before a provider with a small window that is not known. */
async function world(headers: Readonly<Record<string, string>>) {
  const model = await startModelServer({
    window: WINDOW,
    brain: ({ messages }, number) => {
      const wantsMore = messages.at(-1)?.role === 'user' || number % 6 !== 0
      const calls = wantsMore ? [{ name: 'read', input: { path: `src/file-${number}.ts` } }] : []
      return { text: `Step ${number} of the work on the parser.`, calls }
    },
  })
  onTestFinished(() => model.close())
  const store = await openStore(':memory:')
  const deps = { store, key: Buffer.alloc(32), owner: 'local', holder: 'test:1', clock: Date.now }
  const mode = rescuingMode({
    ...deps,
    policy: {},
    modelInfo: () => ({ contextWindow: 1_000_000 }),
    summaries: 'same-request',
    configured: async () => [],
  })
  const resultOf = (step: number) => `// file of step ${step}\n${`const value${step} = compute(${step})\n`.repeat(90)}`
  const { url, lines, requests } = await gatewayWorld(model.url, { ...deps, mode })
  return { model, store, lines, requests, agent: new FakeAgent('openai-responses', url, resultOf, headers) }
}

describe('mode answer, when the provider refuses a request as too long', () => {
  it('compacts and asks again for Codex, whose turn would end, and sends what fits from then on', async () => {
    const { model, store, agent, lines, requests } = await world(TURN)
    for (let turn = 1; turn <= 7; turn++) await agent.turn(`Turn ${turn}: go on with the parser.`)
    const outcomes = model.requests.map(({ outcome }) => outcome)
    expect(outcomes).toContain('overflow')
    expect(outcomes.filter((outcome) => outcome === 'overflow').length).toBeLessThan(4)
    expect(model.violations.filter(({ problem }) => !problem.includes('the window'))).toEqual([])
    expect(lines).toEqual([])
    expect(JSON.stringify(requestFor('openai-responses', agent.history).body).length / 4).toBeGreaterThan(WINDOW)
    const { sessions } = await store.sessions()
    expect(sessions).toHaveLength(1)
    const rescued = (await requests()).filter(({ why }) => /^refused as too long, .*sent again/.test(why))
    expect(rescued).toHaveLength(outcomes.filter((outcome) => outcome === 'overflow').length)
    for (const { bytesIn, bytesOut, status } of rescued) {
      expect(bytesOut).toBeLessThan(bytesIn)
      expect(status).toBe(200)
    }
  })

  it('sends the bytes of Codex as they are until then', async () => {
    const { model, agent } = await world(TURN)
    await agent.turn('Turn 1: go on.')
    expect(model.requests.at(-1)?.body).toEqual(requestFor('openai-responses', agent.history.slice(0, -1)).body)
  })

  it('passes the refusal on to every other agent, which then compacts by itself', async () => {
    const { model, agent } = await world({})
    const work = async () => {
      for (let turn = 1; turn <= 7; turn++) await agent.turn(`Turn ${turn}: go on with the parser.`)
    }
    await expect(work()).rejects.toThrow('context_length_exceeded')
    expect(model.requests.at(-1)?.outcome).toBe('overflow')
  })
})
