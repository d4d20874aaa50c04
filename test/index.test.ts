import { describe, expect, it } from 'vitest'
import {
  type CutRule,
  compact,
  estimate,
  type FactFinder,
  fit,
  inspect,
  logOf,
  mask,
  plan,
  replay,
  status,
  validate,
  verify,
} from '../src/engine.ts'
import { call, result, turns, user } from './support/messages.ts'
import { summarised } from './support/summarised.ts'

const READS = Array.from({ length: 20 }, (_, i) => [call(`c${i}`), result(`c${i}`, `line ${i}\n`.repeat(400))]).flat()

describe('the parts on their own', () => {
  it('are all exported', () => {
    for (const part of [estimate, status, plan, compact, mask, verify, fit]) expect(part).toBeTypeOf('function')
  })

  it('inspect needs no more than a log', () => {
    const { status, parts, largest, files } = inspect(logOf([user('Read them.'), ...READS]))
    expect(status.tokens).toBeGreaterThan(10_000)
    expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(status.tokens)
    expect(largest[0]?.inView).toBe(true)
    expect(files.length).toBeGreaterThan(0)
  })

  it('replay shows what a policy would have cost', async () => {
    const log = logOf([user('Read them.'), ...READS])
    const model = { contextWindow: 20_000, prices: { input: 1, output: 5 } }
    const compacting = await replay(log, { model, policy: { triggerPercent: 40 } })
    const never = await replay(log, { model, policy: { mode: 'off' } })
    expect(compacting.requests).toHaveLength(never.requests.length)
    expect(compacting.requests.some(({ compacted }) => compacted !== undefined)).toBe(true)
    expect(never.cost).toBeGreaterThan(0)
  })

  it('estimate counts a text, a message and messages alike', () => {
    const text = 'How many tokens are these words?'
    expect(estimate(text)).toBeGreaterThan(4)
    expect(estimate(user(text))).toBe(estimate(text))
    expect(estimate([user(text), user(text)])).toBe(2 * estimate(text))
  })

  it('mask frees what is needed from old tool output, and keeps the newest', () => {
    const messages = [user('read them all'), ...READS]
    const masked = mask(messages, { needTokens: 12_000, keepTokens: 4_000 })
    if (!masked.masked) throw new Error(masked.why)
    expect(estimate(messages) - estimate(masked.messages)).toBe(masked.freedTokens)
    expect(masked.freedTokens).toBeGreaterThanOrEqual(12_000)
    expect(masked.messages.at(-1)).toEqual(messages.at(-1))
    expect(validate(masked.messages)).toEqual([])
  })

  it('mask says why it leaves messages alone', () => {
    expect(mask(turns(4), { needTokens: 100 })).toMatchObject({
      masked: false,
      why: expect.stringContaining('0 of 100'),
    })
  })
})

describe('a compaction with rules and facts of the caller', () => {
  const log = logOf(turns(40, 800))
  const input = { log, model: { contextWindow: 16_000 } }

  it('is cut only at places that the own rule allows', async () => {
    const tailStart = ({ cut }: { cut: number }) => log[cut]?.seq ?? 0
    const free = tailStart(summarised(await compact(input)))
    const wanted = (free + 6) % 14
    const onlySome: CutRule = (view) => (index) => (view.items.at(index)?.seq ?? 0) % 14 === wanted
    const ruled = summarised(await compact({ ...input, cutRules: [onlySome] }))
    expect(tailStart(ruled) % 14).toBe(wanted)
    expect(ruled.compacted).toBe(true)
  })

  it('fits anyway when the own rule allows no cut at all', async () => {
    const { compacted, tokensAfter } = await compact({ ...input, cutRules: [() => () => false] })
    expect(compacted).toBe(true)
    expect(tokensAfter).toBeLessThanOrEqual(8_000)
  })

  it('has the own facts in its index', async () => {
    const tickets: FactFinder = (items) => ({
      identifiers: items.slice(0, 1).map(({ seq }) => ({ kind: 'issue', text: 'PITH-4711', seq })),
    })
    const { view } = await compact({ ...input, facts: tickets })
    const [summary] = view.items.slice()
    expect(JSON.stringify(summary?.kind === 'summary' && summary.index.identifiers)).toContain('PITH-4711')
  })
})
