import { expect, it, onTestFinished } from 'vitest'
import { modeNamed } from '../../../../src/gateway/modes/modes.ts'
import { LiveSession } from '../../../../src/session/live-session.ts'
import { answerModelRequest, type ModelRequest } from '../../../../src/session/model-requests.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { startModelServer } from '../../../support/model-server/index.ts'
import { FakeAgent } from '../../support/fake-agent.ts'
import { gatewayWorld } from '../../support/world.ts'

/** The first file, as JSON has it. */
const FIRST = String.raw`// file of step 2\n`

const POLICY = {
  rungs: ['digest'],
  targetMaxTokens: 500,
  growthPercent: 0,
  keepTokens: 200,
  nameTokens: 0,
} satisfies Parameters<typeof modeNamed>[1]['policy']

/** An agent that reads one long file in each turn, and a gateway that rewrites. */
async function world() {
  const model = await startModelServer({
    window: 200_000,
    brain: ({ messages }, number) => ({
      text: `Step ${number} of the work on the parser.`,
      calls: messages.at(-1)?.role === 'user' ? [{ name: 'read', input: { path: `src/file-${number}.ts` } }] : [],
    }),
  })
  onTestFinished(() => model.close())
  const store = await openStore(':memory:')
  const modelInfo = () => ({ contextWindow: 200_000 })
  const mode = modeNamed('rewrite', {
    store,
    key: Buffer.alloc(32),
    owner: 'local',
    holder: 'test:1',
    policy: POLICY,
    clock: Date.now,
    modelInfo,
    summaries: 'none',
    configured: async () => [],
  })
  const { url } = await gatewayWorld(model.url, { store, mode, key: Buffer.alloc(32) })
  const agent = new FakeAgent('anthropic', url, (step) => `// file of step ${step}\n${'const value = 1\n'.repeat(400)}`)
  const entries = async () => {
    const { sessions } = await store.sessions()
    return (await store.entries(sessions[0]?.id ?? '')).entries
  }
  const ask = async (request: ModelRequest) => {
    const { sessions } = await store.sessions()
    const live = await LiveSession.open(store, sessions[0]?.id ?? '')
    const context = () => live.context({ policy: POLICY, model: modelInfo() })
    return answerModelRequest(store, { live, context }, request, { isOwnTool: () => false })
  }
  const lastSent = () => JSON.stringify(model.requests.at(-1)?.body)
  return { model, agent, ask, entries, lastSent }
}

it('a part that the model drops is a line in its next request', async () => {
  const { model, agent, ask, lastSent } = await world()
  await agent.turn('Read the first file.')
  await agent.turn('Read the second file.')
  expect(lastSent()).toContain(FIRST)
  expect(await ask({ action: 'drop', part: '#2-#3' })).toMatchObject({ ok: true })
  await agent.turn('Read the third file.')
  expect(lastSent()).not.toContain(FIRST)
  expect(lastSent()).toContain('[#2–#4 left out by the model: 2 messages')
  expect(model.violations).toEqual([])
})

it('a compaction that the model asks for is made with the next turn, once, with its focus', async () => {
  const { model, agent, ask, entries, lastSent } = await world()
  await agent.turn('Read the first file.')
  expect(await ask({ action: 'compact', focus: 'the colour of the door' })).toMatchObject({ ok: true })
  await agent.turn('Read the second file.')
  await agent.turn('Read the third file.')
  const made = (await entries()).filter(({ type }) => type === 'compaction')
  expect(made).toMatchObject([{ focus: 'the colour of the door', reason: 'manual' }])
  expect(lastSent()).not.toContain(FIRST)
  expect(model.violations).toEqual([])
})
