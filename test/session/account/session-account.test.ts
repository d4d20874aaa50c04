import { describe, expect, it } from 'vitest'
import type { Entry, EntryDraft } from '../../../src/model/entry.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { type AccountData, SessionAccount } from '../../../src/session/account/session-account.ts'
import { SpentMeter } from '../../../src/session/account/spent-meter.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { compaction } from '../../store/contract/drafts.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const PRICES = { input: 10, output: 100 }
const options = { folder: '/repo', pricesOf: (model: string) => (model === 'known' ? PRICES : undefined) }
const DAY = Date.UTC(2026, 10, 16, 23, 59)

let seq = 0
const at = (draft: EntryDraft, time = DAY): Entry => ({ ...draft, id: `e${seq}`, seq: ++seq, at: time }) as Entry
const called = (id: string, toolName: string, input: unknown): EntryDraft => ({
  type: 'message',
  message: call(id, toolName, input),
  usage: { inputTokens: 1_000, outputTokens: 10 },
  model: 'known',
})
const answered = (id: string, toolName: string, text: string): EntryDraft => ({
  type: 'message',
  message: result(id, text, toolName),
})
const answer = (model: string, inputTokens = 1_000): EntryDraft => ({
  type: 'message',
  message: assistant('Done.'),
  usage: { inputTokens, outputTokens: 0, cacheReadTokens: 100 },
  model,
})

function counted(entries: readonly Entry[]): AccountData {
  const account = new SessionAccount(options)
  for (const entry of entries) account.take(entry)
  return account.data()
}

describe('the account of a session', () => {
  const drafts = [
    at({ type: 'message', message: user('Look at it.') }),
    at(called('a', 'Read', { file_path: 'src/a.ts' })),
    at(answered('a', 'Read', 'const alpha = 1\n'.repeat(100))),
    at(called('b', 'Bash', { command: 'npm test' })),
    at(answered('b', 'Bash', 'ok')),
    at(answer('known'), DAY + 120_000),
    at(answer('nobody knows')),
  ]

  it('adds up tokens and money, and says how many calls have no known price', () => {
    const { spent, days, model, upTo } = counted(drafts)
    expect({ model, upTo }).toEqual({ model: 'nobody knows', upTo: drafts.at(-1)?.seq })
    expect(spent).toEqual({
      calls: 4,
      inputTokens: 4_000,
      cacheReadTokens: 200,
      outputTokens: 20,
      cost: expect.closeTo(0.032, 10),
      unpriced: 1,
    })
    expect(days.map(([day, { calls }]) => [day, calls])).toEqual([
      ['2026-11-16', 3],
      ['2026-11-17', 1],
    ])
  })

  it('shares the cost of a request among what it sends, by tool and by file', () => {
    const { tools, files } = counted(drafts)
    const [[, read], [, bash]] = tools as [AccountData['tools'][0], AccountData['tools'][0]]
    expect(read.calls).toBe(1)
    // Sent with two requests of 1,000 tokens that cost a cent each.
    expect(read.cost).toBeCloseTo((read.tokens / 1_000) * 0.01 * 2, 3)
    expect(bash.cost).toBeLessThan(read.cost)
    expect(files).toEqual([['/repo/src/a.ts', read]])
  })

  it('lets nobody pay for what is compacted or masked', () => {
    const more = [at(answer('known')), at(answer('known'))]
    const before = Object.fromEntries(counted(drafts).tools)
    const reduced = at(compaction({ from: 0, upTo: drafts[2]?.seq ?? 0 }))
    const masked = at({ type: 'mask', targets: drafts.map((entry) => entry.seq), tokensBefore: 9, tokensAfter: 1 })
    for (const change of [reduced, masked]) {
      const after = Object.fromEntries(
        counted([...drafts, { ...change, seq: change.seq }, ...later(more, change)]).tools,
      )
      expect(after.Read?.cost).toBe(before.Read?.cost)
    }
    expect(Object.fromEntries(counted([...drafts, ...more]).tools).Read?.cost).toBeGreaterThan(before.Read?.cost ?? 0)
  })

  it('goes on where it stopped, at any entry', () => {
    const whole = counted(drafts)
    for (const [i] of drafts.entries()) {
      const first = new SessionAccount(options)
      for (const entry of drafts.slice(0, i)) first.take(entry)
      const second = new SessionAccount(options, JSON.parse(JSON.stringify(first.kept())))
      for (const entry of drafts) second.take(entry)
      expect(JSON.parse(JSON.stringify(second.data()))).toEqual(JSON.parse(JSON.stringify(whole)))
    }
  })

  it('tells the compactions that went wrong and the agent that the session comes from', () => {
    const { problems, agent, compactions } = counted([
      at({ type: 'settings', origin: { agent: 'codex', model: 'known' } }),
      at({ type: 'attempt', outcome: 'failed', reason: 'no answer' }),
      at({ type: 'attempt', outcome: 'cancelled', reason: 'Esc' }),
      at({ ...compaction({ from: 0, upTo: 0 }), refusal: 'an echo' } as EntryDraft),
      at({ type: 'attempt', outcome: 'skipped', reason: 'too late' }),
    ])
    expect(problems.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['failed', 'no answer'],
      ['fell-back', 'an echo'],
      ['not-taken', 'too late'],
    ])
    expect({ agent, compactions }).toEqual({ agent: 'codex', compactions: 1 })
  })

  it('tells a failed summary and the compaction that did without it once', () => {
    const { problems } = counted([
      at({ type: 'attempt', outcome: 'failed', reason: 'far too short' }),
      at({ ...compaction({ from: 0, upTo: 0 }), refusal: 'far too short' } as EntryDraft),
      at({ type: 'attempt', outcome: 'failed', reason: 'far too short' }),
    ])
    expect(problems.map(({ kind }) => kind)).toEqual(['fell-back', 'failed'])
  })

  it('keeps the largest files of a session that touches thousands', () => {
    seq = 0
    const entries = Array.from({ length: 1_000 }, (_, i) =>
      at(called(`c${i}`, 'Read', { file_path: `/repo/${i}.ts`, note: 'x '.repeat(i) })),
    )
    const { files } = counted(entries)
    expect(files.length).toBeLessThanOrEqual(400)
    expect(files.some(([path]) => path === '/repo/999.ts')).toBe(true)
  })

  it('comes to what the session itself says that it spent', async () => {
    const store = await openStore(':memory:', { ids: () => `id${seq++}`, clock: () => DAY })
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    const info = { provider: 'test', model: 'known', contextWindow: 1, maxOutput: 1, prices: PRICES }
    await store.append(id, [
      answer('test/known'),
      { ...compaction({ from: 0, upTo: 1 }), usage: { inputTokens: 5, outputTokens: 5 }, cost: 0.5 } as EntryDraft,
      { type: 'attempt', outcome: 'failed', reason: 'no', cost: 0.25 },
    ])
    const meter = new SpentMeter(registryOf([info]))
    await meter.read(store, id)
    const account = new SessionAccount({ ...options, pricesOf: () => PRICES })
    for (const entry of (await store.entries(id)).entries) account.take(entry)
    const { calls, inputTokens, cacheReadTokens, outputTokens, cost } = account.data().spent
    expect(meter.report).toMatchObject({ calls, inputTokens, cacheReadTokens, outputTokens, cost })
    await store.close()
  })
})

function later(entries: readonly Entry[], { seq: from }: Entry): Entry[] {
  return entries.map((entry, i) => ({ ...entry, seq: from + 1 + i }))
}
