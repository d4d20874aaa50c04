import { describe, expect, it, onTestFinished } from 'vitest'
import { SECTION } from '../../../../src/engine/record/sections/section-titles.ts'
import { STATUS_PATH } from '../../../../src/gateway/access.ts'
import { rewriteMode } from '../../../../src/gateway/modes/modes.ts'
import type { RewriteDeps } from '../../../../src/gateway/modes/rewrite/rewriter.ts'
import type { PolicyPatch } from '../../../../src/model/policy/policy.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import {
  type Fault,
  isSummarising,
  type ModelRequest,
  startModelServer,
  textOf,
} from '../../../support/model-server/index.ts'
import { FakeAgent } from '../../support/fake-agent.ts'
import { gatewayWorld, PREFIX } from '../../support/world.ts'

const POLICY: PolicyPatch = { tokenLimit: 8_000, preparePercent: 80, rungs: ['warm', 'digest', 'squeeze'] }

/** An agent whose model reads a file and says something in each turn, and writes summaries that are accepted. */
async function world(deps: Partial<RewriteDeps> = {}, summaryAnswer?: Fault) {
  const summaries: number[] = []
  const model = await startModelServer({
    window: 200_000,
    brain: (request, number) => {
      if (isSummarising(request)) {
        summaries.push(number)
        return summaryAnswer ?? { text: summaryOf(request) }
      }
      const isAsked = request.messages.at(-1)?.role === 'user'
      const calls = isAsked ? [{ name: 'read', input: { path: `src/file-${number}.ts` } }] : []
      return { text: `Step ${number} of the work on the parser.`, calls }
    },
  })
  onTestFinished(() => model.close())
  const store = await openStore(':memory:')
  const common = { store, key: Buffer.alloc(32), owner: 'local', holder: 'test:1', clock: Date.now }
  const mode = rewriteMode({
    ...common,
    policy: POLICY,
    modelInfo: () => ({ contextWindow: 200_000 }),
    summaries: 'same-request',
    configured: async () => [],
    ...deps,
  })
  const { url, lines, gateway } = await gatewayWorld(model.url, { ...common, mode })
  const resultOf = (step: number) => `// file of step ${step}\n${`const value${step} = compute(${step})\n`.repeat(60)}`
  const agent = new FakeAgent('anthropic', url, resultOf, { 'x-api-key': 'sk-of-the-client' })
  const whys = async (): Promise<string[]> => {
    const reply = await fetch(`http://127.0.0.1:${gateway.port}/${PREFIX}/${STATUS_PATH}`)
    const { records } = (await reply.json()) as { records: { why: string }[] }
    return records.map(({ why }) => why)
  }
  const entries = async () => (await store.entries((await store.sessions()).sessions[0]?.id ?? '')).entries
  return { model, store, agent, lines, summaries, whys, entries }
}

describe('a compaction that is prepared in the background', () => {
  it('is ready when its time comes: no request waits for a model', async () => {
    const { model, agent, lines, summaries, whys } = await world()
    let turn = 0
    while (summaries.length === 0 && turn < 20) {
      await agent.turn(`Turn ${++turn}: go on with the parser.`)
      await expect.poll(whys).toHaveLength(2 * turn)
    }
    expect((await whys()).every((why) => why === 'short enough')).toBe(true)
    while (!(await whys()).some((why) => why.startsWith('compacted')) && turn < 30)
      await agent.turn(`Turn ${++turn}: go on with the parser.`)
    expect((await whys()).find((why) => why.startsWith('compacted'))).toMatch(/\(warm, prepared\)$/)
    expect(summaries).toHaveLength(1)
    expect(lines).toEqual([])
    expect(model.violations).toEqual([])
  })

  it('has no limit of time until a request waits for it; then the record is made from the log', async () => {
    const { model, agent, whys } = await world({ rewriteMs: 20 }, { fault: 'silence' })
    const compacted = async () => (await whys()).find((why) => why.startsWith('compacted'))
    for (let turn = 1; turn < 25 && (await compacted()) === undefined; turn++) await agent.turn(`Turn ${turn}: go on.`)
    // Not what was prepared within the limit, which would be a record of the log without need.
    expect(await compacted()).toMatch(/\(digest: the model did not answer in time\)$/)
    expect(model.requests.filter(({ summarising }) => summarising)).toHaveLength(1)
  })

  it('is given up when the session moves otherwise, and its cost is recorded', async () => {
    const { agent, store, summaries, entries } = await world()
    for (let turn = 1; summaries.length === 0 && turn < 20; turn++) await agent.turn(`Turn ${turn}: go on.`)
    const id = (await store.sessions()).sessions[0]?.id ?? ''
    await store.append(id, [{ type: 'mask', targets: [3], tokensBefore: 9_000, tokensAfter: 8_000 }])
    await agent.turn('Go on after the change.')
    const reasons = (await entries()).flatMap((entry) => (entry.type === 'attempt' ? [entry.reason] : []))
    expect(reasons).toEqual(['A prepared summary was not used: the view has changed meanwhile'])
  })

  it.each([
    ['the policy does not want it', { policy: { ...POLICY, preparePercent: 0 } }],
    ['the client’s key is not for summaries', { summaries: 'none' as const }],
  ])('is not begun when %s', async (_, deps) => {
    const { agent, summaries, whys } = await world(deps)
    for (let turn = 1; turn < 25; turn++) {
      if ((await whys()).some((why) => why.startsWith('compacted'))) break
      expect(summaries).toEqual([])
      await agent.turn(`Turn ${turn}: go on.`)
    }
    expect((await whys()).find((why) => why.startsWith('compacted'))).toMatch(/\((?:warm|digest)\)$/)
  })
})

/** A summary that names what was done. */
function summaryOf(request: ModelRequest): string {
  const files = [...new Set(JSON.stringify(request).match(/src\/file-\d+\.ts/g))]
  const said = request.messages.filter(({ role }) => role === 'user').map((message) => textOf(message).slice(0, 60))
  return `## ${SECTION.state}\nThe parser: read ${files.join(', ')}.\n\n## ${SECTION.reasons}\n${said.slice(0, 5).join(' ')}`
}
