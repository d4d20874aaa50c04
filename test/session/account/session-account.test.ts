import { describe, expect, it } from 'vitest'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'
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

  it('charges nothing for results that are compacted or masked', () => {
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

  it('continues where it stopped, at any entry', () => {
    const whole = counted(drafts)
    for (const [i] of drafts.entries()) {
      const first = new SessionAccount(options)
      for (const entry of drafts.slice(0, i)) first.take(entry)
      const second = new SessionAccount(options, JSON.parse(JSON.stringify(first.kept())))
      for (const entry of drafts) second.take(entry)
      expect(JSON.parse(JSON.stringify(second.data()))).toEqual(JSON.parse(JSON.stringify(whole)))
    }
  })

  it('lists the compactions that went wrong and the agent that the session comes from', () => {
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

  it('lists a failed summary and the compaction that did without it once', () => {
    const { problems } = counted([
      at({ type: 'attempt', outcome: 'skipped', reason: 'too late' }),
      at({ type: 'attempt', outcome: 'failed', reason: 'far too short' }),
      at({ ...compaction({ from: 0, upTo: 0 }), refusal: 'far too short' } as EntryDraft),
      at({ type: 'attempt', outcome: 'failed', reason: 'far too short' }),
    ])
    expect(problems.map(({ kind }) => kind)).toEqual(['not-taken', 'fell-back', 'failed'])
  })

  it('counts an answer that was thrown away like any other, and an entry only once', () => {
    const thrown = at({ type: 'void', reason: 'empty', model: 'known', usage: { inputTokens: 100, outputTokens: 10 } })
    expect(counted([thrown, thrown]).spent).toEqual({
      ...{ calls: 1, inputTokens: 100, cacheReadTokens: 0, outputTokens: 10, unpriced: 0 },
      cost: expect.closeTo(0.002, 10),
    })
  })

  it('does not count a compaction as a call; its cost belongs to its day, and is missing if a model without a price was asked', () => {
    const usage = { inputTokens: 5, outputTokens: 5 }
    const cost = (more: object) => counted([at({ ...compaction(), ...more } as EntryDraft)])
    const nothing = { calls: 0, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0, cost: 0, unpriced: 0 }
    expect(cost({ rung: 'digest' })).toMatchObject({ compactions: 1, spent: nothing, days: [] })
    // Another agent's file does not have the cost of its summary.
    expect(cost({}).spent).toEqual({ ...nothing, unpriced: 1 })
    expect(cost({ cost: 0.5 })).toMatchObject({ days: [['2026-11-16', { ...nothing, cost: 0.5 }]] })
    expect(cost({ usage, cost: 0.5 }).spent).toEqual({ ...nothing, cost: 0.5 })
    expect(cost({ usage }).spent).toEqual({ ...nothing, unpriced: 1 })
  })

  it('is of the model that was used or chosen last', () => {
    const asked = at({ type: 'message', message: user('Go.') })
    const chosen = at({ type: 'settings', model: 'chosen', origin: { agent: 'codex', model: 'theirs' } })
    const titled = at({ type: 'settings', title: 'a title' })
    const said = at(answer('known'))
    const renamed = [asked, chosen, titled, said, at({ type: 'message', message: user('And?') })]
    expect([1, 2, 3, 4, 5].map((length) => counted(renamed.slice(0, length)).model)).toEqual([
      undefined,
      'chosen',
      'chosen',
      'known',
      'known',
    ])
    expect(counted(renamed).agent).toBe('codex')
    expect(counted([at({ type: 'settings', origin: { agent: 'codex', model: 'theirs' } })]).model).toBe('theirs')
  })

  it('passes over an entry that cannot be read, and never goes back', () => {
    const account = new SessionAccount(options)
    account.pass(5)
    expect(account.upTo).toBe(5)
    account.pass(3)
    account.take({ ...at(answer('known')), seq: 4 })
    expect(account.upTo).toBe(5)
    expect(account.data().spent.calls).toBe(0)
  })

  it('continues to charge for results that a compaction keeps, or that are outside of its span', () => {
    const results = ['a', 'b', 'c', 'd'].map((id) => at(answered(id, `of ${id}`, 'word '.repeat(50))))
    const [first, second, third] = results.map((entry) => entry.seq) as [number, number, number]
    const span = at(compaction({ from: second, upTo: third, keep: [] }))
    const kept = { ...span, keep: [second] } as Entry
    const paying = (change: Entry) =>
      counted([...results, change, at(answer('known'))]).tools.flatMap(([tool, { cost }]) => (cost > 0 ? [tool] : []))
    expect(paying(span)).toEqual(['of a', 'of d'])
    seq = span.seq
    expect(paying(kept)).toEqual(['of a', 'of b', 'of d'])
    seq = span.seq
    expect(paying({ ...span, type: 'mask', targets: [first], tokensBefore: 9, tokensAfter: 1 } as Entry)).toEqual([
      'of b',
      'of c',
      'of d',
    ])
  })

  it('shares the cost of what is sent, not of the answer, and among no fewer tokens than are shown', () => {
    const shown = at(answered('a', 'Read', 'word '.repeat(1_000)))
    const sent = (usage: object) => counted([shown, { ...at(answer('known')), usage } as Entry]).tools[0]?.[1]
    const large = sent({ inputTokens: 100_000, outputTokens: 9_000 })
    expect(large?.cost).toBeCloseTo((large?.tokens ?? 0) * 0.00001, 10)
    seq = shown.seq
    expect(sent({ inputTokens: 100, outputTokens: 0 })?.cost).toBeCloseTo(0.001, 10)
  })

  it('knows the tool of a result whose call it has not seen, or saw long ago', () => {
    expect(counted([at(answered('lost', 'Read', 'text'))]).tools).toEqual([
      ['Read', { calls: 0, tokens: expect.any(Number), cost: 0 }],
    ])
    const opened = (count: number) => [
      at(called('first', 'Read', { file_path: 'a.ts' })),
      ...Array.from({ length: count }, (_, i) => at(called(`c${i}`, 'Bash', { command: 'true' }))),
    ]
    const tokensOfFile = (entries: readonly Entry[]) => counted(entries).files[0]?.[1].tokens ?? 0
    const answers = at(answered('first', 'Read', 'word '.repeat(100)))
    for (const [count, isKnown] of [
      [499, true],
      [500, false],
    ] as const) {
      const calls = opened(count)
      const grown = tokensOfFile([...calls, { ...answers, seq: seq + 1 }]) - tokensOfFile(calls)
      expect(grown > 0).toBe(isKnown)
    }
  })

  it('lists the last twenty problems', () => {
    const failed = Array.from({ length: 21 }, (_, i) =>
      at({ type: 'attempt', outcome: 'failed', reason: `number ${i}` }),
    )
    expect(counted(failed).problems.map(({ reason }) => reason)).toEqual(
      failed.slice(1).map((entry) => entry.type === 'attempt' && entry.reason),
    )
  })

  it('lists a compaction that fell back after another failure as a separate problem', () => {
    const { problems } = counted([
      at({ type: 'attempt', outcome: 'skipped', reason: 'far too short' }),
      at({ ...compaction({ from: 0, upTo: 0 }), refusal: 'far too short' } as EntryDraft),
    ])
    expect(problems.map(({ kind }) => kind)).toEqual(['not-taken', 'fell-back'])
  })

  it('continues where it stopped with what waits for a result, and with what is still sent', () => {
    const entries = [
      at(called('a', 'Read', { file_path: 'src/a.ts' })),
      at(answered('a', 'Read', 'word '.repeat(100))),
      at(answer('known', 10)),
    ]
    const first = new SessionAccount(options)
    for (const entry of entries.slice(0, 2)) first.take(entry)
    const second = new SessionAccount(options, structuredClone(first.kept()))
    for (const entry of entries) second.take(entry)
    expect(second.data()).toEqual(counted(entries))
    expect(second.data()).toEqual(second.data())
  })

  it('keeps the largest files of a session that touches thousands', () => {
    seq = 0
    const entries = Array.from({ length: 1_000 }, (_, i) =>
      at(called(`c${i}`, 'Read', { file_path: `/repo/${i}.ts`, note: 'x '.repeat(i) })),
    )
    const { files } = counted(entries)
    expect(files.length).toBeLessThanOrEqual(400)
    expect(files.some(([path]) => path === '/repo/999.ts')).toBe(true)
    // The largest 200 stay when there would be more than twice as many.
    expect(counted(entries.slice(0, 400)).files).toHaveLength(400)
    expect(new Set(counted(entries.slice(0, 401)).files.map(([path]) => path))).toEqual(
      new Set(Array.from({ length: 200 }, (_, i) => `/repo/${400 - i}.ts`)),
    )
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
